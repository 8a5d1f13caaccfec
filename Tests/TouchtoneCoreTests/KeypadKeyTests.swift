// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@Suite struct KeypadKeyTests {
    @Test func keypadHasTelephoneLayout() {
        let names = KeypadKey.rows.map { $0.map(\.accessibleName) }
        #expect(
            names == [
                ["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["star", "0", "pound"],
                ["Delete", "Dial"],
            ])
    }

    @Test func toneFrequenciesMatchQ23() {
        let rows: [(Double, String)] = [(697, "123A"), (770, "456B"), (852, "789C"), (941, "*0#D")]
        for (low, keys) in rows {
            for (high, character) in zip([1209.0, 1336, 1477, 1633], keys) {
                let key = DTMFKey(character)
                #expect(key?.lowFrequency == low)
                #expect(key?.highFrequency == high)
                #expect(key?.character == character)
            }
        }
        let files = DTMFKey.allCases.map(\.fileName)
        #expect(files.prefix(2) == ["DTMF_00.wav", "DTMF_01.wav"])
        #expect(files.suffix(6).map { $0.dropFirst(5).dropLast(4) } == ["star", "pound", "A", "B", "C", "D"])
    }
}
