// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import TestSupport
import XCTest

@testable import TouchtoneUI

/// Random walks of the number pad between two number fields and a text field.
final class NumberPadWalkTests: GtkTestCase {
    override func tearDown() {
        onMainActor { setAnimations(true) }
        super.tearDown()
    }

    func testWalks() throws {
        let seeds = Seeds.all
        try onMainActor {
            for seed in seeds {
                print("number pad walks: seed \(seed)")
                var random = SplitMix64(seed: seed)
                for walk in 0..<TestLength.cases(20, long: 50) {
                    // Most walks run without animations, whose frames take longer than everything else.
                    setAnimations(walk.isMultiple(of: 10))
                    try Walk(name: "seed \(seed), walk \(walk)", random: &random).go(using: &random)
                }
            }
        }
    }
}

/// A walk whose expected field contents and pad visibility are compared after each step.
@MainActor
private final class Walk {
    private let fixture: FieldsWindow
    private let name: String
    private let isNumber: [Bool]
    private var texts = ["", "", ""]
    private var place: Int?
    private var isPutAway = false
    private var steps: [Step] = []

    enum Step: String, CaseIterable {
        case click0, click1, click2, tab, back, typed, pad, padDelete, backspace, done, escape, undo
    }

    init(name: String, random: inout SplitMix64) throws {
        self.name = name
        // Every order of the three.
        isNumber = [true, true, false].shuffled(using: &random)
        fixture = try FieldsWindow(isNumber.map { $0 ? .number(.number) : .text })
    }

    func go(using random: inout SplitMix64) throws {
        for _ in 0..<16 {
            guard let step = Step.allCases.randomElement(using: &random) else { break }
            steps.append(step)
            try take(step, digit: Int.random(in: 0..<10, using: &random))
            handleEvents()
            check()
        }
        fixture.clear()
    }

    private var hasPad: Bool { place.map { isNumber[$0] } == true && !isPutAway }

    private func take(_ step: Step, digit: Int) throws {
        switch step {
        case .click0: click(0)
        case .click1: click(1)
        case .click2: click(2)
        case .tab: tab(by: 1)
        case .back: tab(by: -1)
        case .typed:
            replace(with: String(digit))
            fixture.type(String(digit))
        case .pad where hasPad:
            replace(with: String(digit))
            fixture.clickPad(String(digit))
        case .padDelete where hasPad:
            deleteBefore()
            fixture.clickPad("Delete")
        case .backspace:
            deleteBefore()
            fixture.type(GDK_KEY_BackSpace)
        case .done where hasPad:
            fixture.clickPad("Done")
            finish()
        case .escape:
            fixture.type(GDK_KEY_Escape)
            if hasPad { finish() }
        case .undo: try undoAndRedo()
        case .pad, .padDelete, .done: break
        }
    }

    private func click(_ place: Int) {
        fixture.click(fixture.fields[place])
        (self.place, isPutAway) = (place, false)
    }

    private func tab(by step: Int) {
        fixture.type(GDK_KEY_Tab, with: step < 0 ? Modifier.shift : nil)
        // At either end the focus wraps around.
        place = place.map { ($0 + step + 3) % 3 } ?? (step < 0 ? 2 : 0)
        isPutAway = false
    }

    private func finish() {
        place = place.map { ($0 + 1) % 3 }
        isPutAway = true
    }

    private func replace(with text: String) {
        guard let place else { return }
        var characters = Array(texts[place])
        characters.replaceSubrange(fixture.selection(in: place), with: text)
        texts[place] = String(characters)
    }

    private func deleteBefore() {
        guard let place else { return }
        var (range, characters) = (fixture.selection(in: place), Array(texts[place]))
        if range.isEmpty, range.lowerBound > 0 { range = range.lowerBound - 1..<range.lowerBound }
        characters.removeSubrange(range)
        texts[place] = String(characters)
    }

    /// Undoes and redoes, which restores the state; other tests show that undo has an effect.
    private func undoAndRedo() throws {
        guard let place, isNumber[place] else { return }
        fixture.type(GDK_KEY_z, with: Modifier.control)
        if fixture.text(place) != texts[place] { fixture.type(GDK_KEY_y, with: Modifier.control) }
    }

    private func check() {
        let way = "\(name), fields \(isNumber), after \(steps.map(\.rawValue))"
        XCTAssertEqual(fixture.focusPlace, place, way)
        XCTAssertEqual(fixture.padPlaces, hasPad ? [place] : [], way)
        XCTAssertEqual((0..<3).map(fixture.text), texts, way)
    }
}
