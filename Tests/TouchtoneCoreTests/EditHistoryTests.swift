// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

/// Tests of undo and redo in a text field.
@Suite struct EditHistoryTests {
    @Test func undoRevertsContinuousTypingAtOnce() {
        var history = EditHistory()
        for text in ["5", "55", "555"] { history.record(text) }
        #expect(history.undo() == EditHistory.Moment("", caret: 0))
        #expect(history.undo() == nil)
        #expect(history.redo() == EditHistory.Moment("555", caret: 3))
        #expect(history.redo() == nil)
    }

    @Test func typingElsewhereStartsNewStep() {
        var history = EditHistory("123")
        history.record("1234")
        history.record("01234")
        history.record("051234")
        #expect(history.undo()?.text == "1234")
        #expect(history.undo()?.text == "123")
    }

    @Test func undoRevertsContinuousDeletionAtOnce() {
        for carets in [[2, 1, 0], [0, 0, 0]] {
            var history = EditHistory("123")
            var text = Array("123")
            for caret in carets {
                text.remove(at: caret)
                history.record(String(text))
            }
            #expect(history.undo()?.text == "123")
            #expect(history.undo() == nil)
        }
    }

    @Test func replacingDeletingAndTypingAreSeparateSteps() {
        var history = EditHistory("123")
        history.record("9")
        history.record("98")
        history.record("9")
        #expect([history.undo()?.text, history.undo()?.text, history.undo()?.text] == ["98", "9", "123"])
        #expect(history.undo() == nil)
    }

    @Test func newChangeClearsRedo() {
        var history = EditHistory()
        history.record("5")
        _ = history.undo()
        history.record("6")
        #expect(history.redo() == nil)
        #expect(history.undo()?.text == "")
    }

    @Test func caretReturnsToPlaceOfChange() {
        var history = EditHistory("5551212")
        history.record("551212")
        #expect(history.now.caret == 2)
        history.record("5591212")
        #expect(history.now.caret == 3)
        history.record("559006212")
        #expect(history.now.caret == 6)
        #expect(history.undo() == EditHistory.Moment("5591212", caret: 3))
    }

    @Test func unchangedTextAddsNoStep() {
        var history = EditHistory("5")
        history.record("5")
        #expect(history.undo() == nil)
    }

    @Test func historyIsBoundedByCapacity() {
        var history = EditHistory()
        for number in 0..<(3 * EditHistory.capacity) { history.record("\(number * 100)") }
        var count = 0
        while history.undo() != nil { count += 1 }
        #expect(count == EditHistory.capacity)
    }

    /// After any edits, undoing all steps restores the start, redoing all restores the end, and each step inverts the
    /// other.
    @Test(arguments: Seeds.all)
    func undoAndRedoAreInverses(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            var field = Field(text: Array("12".unicodeScalars), caret: 0)
            var history = EditHistory(field.string)
            for _ in 0..<Int.random(in: 1..<60, using: &random) {
                field.edit(using: &random)
                history.record(field.string)
            }
            #expect(history.now.text == field.string)
            var seen = [history.now]
            while let moment = history.undo() {
                #expect(seen.last.map { $0.text.utf8.elementsEqual(moment.text.utf8) } != true)
                seen.append(moment)
            }
            #expect(seen.last?.text == "12")
            for moment in seen.dropLast().reversed() { #expect(history.redo() == moment) }
            #expect(history.redo() == nil)
            #expect(history.now.text == field.string)
        }
    }
}

/// A text field as a list of scalars.
private struct Field {
    var text: [Unicode.Scalar]
    var caret: Int

    var string: String { String(String.UnicodeScalarView(text)) }

    mutating func edit(using random: inout SplitMix64) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
            text.insert(["5", "é", "\u{301}", "٥", "😀"].randomElement(using: &random) ?? "5", at: caret)
            caret += 1
        case 5..<7 where caret > 0:
            caret -= 1
            text.remove(at: caret)
        case 7 where caret < text.count: text.remove(at: caret)
        case 8: caret = Int.random(in: 0...text.count, using: &random)
        default:
            let (from, to) = (
                Int.random(in: 0...text.count, using: &random), Int.random(in: 0...text.count, using: &random)
            )
            text.replaceSubrange(min(from, to)..<max(from, to), with: ["9"])
            caret = min(from, to) + 1
        }
    }
}
