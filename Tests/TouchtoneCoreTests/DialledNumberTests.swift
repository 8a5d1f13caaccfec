// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@Suite struct DialledNumberTests {
    @Test func holdsFortyCharactersAndRefusesOneMore() {
        var number = DialledNumber()
        for _ in 1...40 { #expect(number.append("7") == true) }
        #expect(number.isFull)
        #expect(number.append("7") == false)
        #expect(number.text == String(repeating: "7", count: 40))
    }

    @Test func acceptsDialableCharacters() {
        for character in "0123456789*#,;" {
            var number = DialledNumber()
            #expect(number.append(character) == true, "\(character)")
        }
    }

    @Test(
        arguments: ["a", " ", "-", "\u{FF15}", "٣", "5️⃣", "1\u{301}", "\0", "\n", "\r\n", "é", "👍"]
            as [Character])
    func refusesAllOtherCharacters(_ character: Character) {
        var number = DialledNumber()
        #expect(number.append(character) == false)
        #expect(number.isEmpty)
    }

    @Test func acceptsPlusOnlyAtStart() {
        var number = DialledNumber()
        #expect(number.append("+") == true)
        #expect(number.append("+") == false)
        #expect(number.append("4") == true)
        #expect(number.append("+") == false)
        #expect(number.text == "+4")
        #expect(number.isInternational)
    }

    @Test func onlyLeadingZeroBecomesPlus() {
        for (before, after) in [("0", "+"), ("50", "50"), ("00", "00"), ("5", "5"), ("", ""), ("+0", "+0")] {
            var number = DialledNumber(before) ?? DialledNumber()
            #expect(number.replaceLastZeroWithPlus() == (before != after))
            #expect(number.text == after)
        }
    }

    @Test func parsesOnlyNormalizedText() {
        #expect(DialledNumber("+44*#,;")?.text == "+44*#,;")
        #expect(DialledNumber("")?.isEmpty == true)
        for text in ["5 5", "4+4", "x", String(repeating: "1", count: 41)] {
            #expect(DialledNumber(text) == nil)
        }
    }

    @Test(arguments: [
        ("", false), ("+", false), (",;", false), ("5", true), ("*", true), ("#", true), ("+4", true),
    ])
    func reportsWhetherThereIsAnythingToDial(_ text: String, isDialable: Bool) {
        #expect(DialledNumber(text)?.isDialable == isDialable)
    }

    @Test(arguments: Seeds.all)
    func deletingUndoesAppendingAtEveryLength(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var number = DialledNumber()
        var states = [number]
        for character in randomNumber(&random, length: 40).text {
            #expect(number.append(character) == true)
            states.append(number)
        }
        for state in states.reversed() {
            #expect(number == state)
            #expect(number.count == state.text.count)
            #expect(number.deleteLast() == !state.isEmpty)
        }
    }
}

/// Returns a number of this length, sometimes international, of digits and occasionally other characters.
func randomNumber(_ random: inout SplitMix64, length: Int, of characters: String = "0123456789*#,;")
    -> DialledNumber
{
    var number = DialledNumber()
    if length > 0, Bool.random(using: &random) { number.append("+") }
    let choice = Array(characters)
    while number.count < length { number.append(choice[Int.random(in: choice.indices, using: &random)]) }
    return number
}
