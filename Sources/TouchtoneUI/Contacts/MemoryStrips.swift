// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The names on the keys 1 to 9 while MEM waits for one of them.
@MainActor
final class MemoryStrips {
    private let phone: Phone
    private let contacts: ContactBook
    private let keypad: KeypadView

    init(on keypad: KeypadView, of phone: Phone, contacts: ContactBook) {
        (self.keypad, self.phone, self.contacts) = (keypad, phone, contacts)
        contacts.observe(by: self) { [weak self] in if $0 == .memory || $0 == .rows { self?.show() } }
    }

    func show() {
        keypad.show(
            strips: phone.memoryQuestion == nil
                ? nil : Dictionary(uniqueKeysWithValues: (1...9).map { ($0, strip($0)) }))
    }

    private func strip(_ digit: Int) -> KeyStrip {
        guard let key = contacts.memory[digit] else {
            return KeyStrip(text: ContactStrings.emptyMemoryKey, isEmpty: true)
        }
        let name = PlainText.line(contacts.name(of: key), maximum: 80)
        return KeyStrip(text: name.isEmpty ? phone.text(of: key.number) : name, isEmpty: false)
    }
}
