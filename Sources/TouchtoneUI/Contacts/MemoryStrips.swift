// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The names on the keys 1 to 9 while MEM waits for one of them, and the lamps of those that watch an extension.
@MainActor
final class MemoryStrips {
    private let phone: Phone
    private let contacts: ContactBook
    private let keypad: KeypadView
    private let clock: any Scheduler
    private var timer: (any ScheduledTimer)?
    private var isDark = false { didSet { if isDark != oldValue { keypad.setRingingLamps(dark: isDark) } } }

    /// The time for which a lamp of an extension that rings is lit, and then dark: two flashes a second.
    private static let flash = Duration.milliseconds(250)

    init(on keypad: KeypadView, of phone: Phone, contacts: ContactBook, clock: any Scheduler) {
        (self.keypad, self.phone, self.contacts, self.clock) = (keypad, phone, contacts, clock)
        contacts.observe(by: self) { [weak self] in if $0 == .memory || $0 == .rows { self?.show() } }
        phone.officeKeys?.observe(by: self) { [weak self] in self?.show() }
    }

    func show() {
        keypad.show(
            strips: phone.memoryQuestion == nil
                ? nil : Dictionary(uniqueKeysWithValues: (1...9).map { ($0, strip($0)) }))
        flash()
    }

    private func strip(_ digit: Int) -> KeyStrip {
        guard let key = contacts.memory[digit] else {
            return KeyStrip(text: ContactStrings.emptyMemoryKey, isEmpty: true)
        }
        let name = PlainText.line(contacts.name(of: key), maximum: 80)
        var isNumber = false
        if case .number = key.target { isNumber = name.isEmpty }
        return KeyStrip(
            text: name.isEmpty ? PlainText.line(phone.text(of: key.target), maximum: 80) : name,
            isNumber: isNumber,
            lamp: phone.officeKeys?.state(ofKey: digit) ?? .unknown)
    }

    /// Lets the lamps flash while any rings and is seen; where the desktop wants no motion, their light is steady.
    private func flash() {
        let rings =
            phone.memoryQuestion != nil && keypad.widget.isAnimated
            && (1...9).contains { phone.officeKeys?.state(ofKey: $0) == .ringing }
        guard rings else {
            timer?.cancel()
            timer = nil
            return isDark = false
        }
        guard timer == nil else { return }
        timer = clock.schedule(after: Self.flash) { [weak self] in
            guard let self else { return }
            timer = nil
            isDark.toggle()
            flash()
        }
    }
}
