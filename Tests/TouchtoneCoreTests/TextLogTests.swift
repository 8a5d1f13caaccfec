// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of what is kept of the text of a call, and when.
@Suite struct TextLogTests {
    private var text = CallText()
    private var log = TextLog()
    private let time = ChatTime(milliseconds: 1)

    private mutating func take(hasEnded: Bool = false) -> [TextPart] {
        log.take(from: text, hasEnded: hasEnded, at: time)
    }

    private func part(_ place: Int, _ side: CallText.Side, _ text: String) -> TextPart {
        TextPart(place, .line(side, text), time: time)
    }

    @Test mutating func lineIsKeptWhenItHasEnded() {
        text.receive("Hel")
        #expect(take() == [])
        _ = text.type("Hi")
        text.receive("lo\u{2028}th")
        #expect(take() == [part(1, .farEnd, "Hello")])
        #expect(take() == [])
        _ = text.endTyped()
        #expect(take() == [part(2, .own, "Hi")])
        #expect(!log.isEmpty)
        // What is being typed when the call ends is kept, too.
        #expect(take(hasEnded: true) == [part(3, .farEnd, "th")])
    }

    @Test mutating func changedLineIsKeptAgain() {
        text.receive("Helo\u{2028}")
        #expect(take() == [part(1, .farEnd, "Helo")])
        text.receive("\u{8}\u{8}")
        #expect(take() == [])
        text.receive("lo\u{2028}")
        #expect(take() == [part(1, .farEnd, "Hello")])
    }

    @Test(arguments: [true, false])
    mutating func erasedLineIsErased(atOnce: Bool) {
        text.receive("one\u{2028}two\u{2028}")
        #expect(take().count == 2)
        if atOnce {
            text.receive("\u{8}\u{8}\u{8}\u{8}")
        } else {
            for _ in 0..<4 {
                text.receive("\u{8}")
                if text.lines.count == 2 { #expect(take() == []) }
            }
        }
        #expect(take() == [part(2, .farEnd, "")])
        #expect(take(hasEnded: true) == [])
    }

    /// The lines that are no longer in memory stay.
    @Test mutating func droppedLinesAreKept() {
        for number in 0..<CallText.maximumLines {
            text.receive("\(number)\u{2028}")
            #expect(take().count == 1)
        }
        text.receive("more")
        #expect(text.lines.count == CallText.maximumLines && text.lines[0].text == "1")
        #expect(take() == [])
    }

    @Test(arguments: [10, 500])
    mutating func floodIsCut(length: Int) {
        var parts: [TextPart] = []
        for _ in 0..<2_000 {
            text.receive(String(repeating: "é", count: length) + "\u{2028}")
            parts += take()
        }
        parts += take(hasEnded: true)
        #expect(parts.last == TextPart(.max, .cut, time: time))
        #expect(parts.count { $0.content == .cut } == 1)
        let bytes = parts.map { part in
            if case .line(_, let text) = part.content { text.utf8.count } else { 0 }
        }
        #expect(bytes.reduce(0, +) <= TextLog.maximumBytes && parts.count <= TextLog.maximumLines + 1)
    }

    /// A far end that ends and erases a line again and again does not write for ever.
    @Test mutating func changesAreBounded() {
        var count = 0
        for number in 0..<5_000 {
            text.receive("\(number % 10)\u{2028}")
            count += take().count
            text.receive("\u{8}\u{8}")
            count += take().count
        }
        #expect(count <= 2 * TextLog.maximumLines + 1)
    }
}
