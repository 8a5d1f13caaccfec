// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// What is offered under the display: whom the number that is typed may mean, and what the memory keys hold while MEM asks.
///
/// A key is heard and its digit is drawn first; only then is anybody looked for.
@MainActor
final class SuggestionController {
    /// The set with what lies over it, to be placed in the window.
    let widget: Widget
    private let phone: Phone
    private let contacts: ContactBook
    private let set: Widget
    private let display: Widget
    private let keypad: Widget
    private var strip: SuggestionStrip?
    private var offered: Offered = .nothing
    /// The number that was there before, to know what was typed from what came whole.
    private var lastNumber: DialledNumber
    /// Nobody is to be offered for the number that is there, nor for what is typed after it.
    private var isDismissed = false
    private var isLooking = false
    /// Whether the phone is covered, and offers nothing.
    private var isCovered = false

    private enum Offered {
        case nothing
        case people([Suggestion])
        case memory([Int])
    }

    /// How many people are offered at most.
    private static let maximum = 5
    /// From how many keys on: a single one may mean anybody.
    private static let least = 2

    /// - Parameters:
    ///   - set: the display, the soft keys and the keypad.
    init(phone: Phone, contacts: ContactBook, set: Widget, display: Widget, keypad: Widget) {
        (self.phone, self.contacts) = (phone, contacts)
        (self.set, self.display, self.keypad) = (set, display, keypad)
        lastNumber = phone.number
        widget = gtk_overlay_new()
        gtk_container_add(widget.cast(), set)
        gtk_widget_show(widget)
        Signal.connectPlace(widget) { [weak self] in self?.place() }
        contacts.observe(by: self) { [weak self] in self?.contactsChanged($0) }
    }

    /// The phone has changed.
    func phoneChanged(_ change: Phone.Change) {
        if change.contains(.display) { numberChanged() }
        if change.contains(.memory) { showMemory() }
        if change.contains(.calls), !mayOffer { hide() }
    }

    /// The phone is covered by its lock, or not any more.
    func setCovered(_ isCovered: Bool) {
        self.isCovered = isCovered
        guard isCovered else { return }
        phone.leaveMemory()
        hide()
    }

    /// Does what a key of the keyboard is for while something is offered; false where it is for others.
    func keyPressed(_ key: GdkEventKey) -> Bool {
        guard let strip, strip.widget.isVisible else { return leaveByKey(key) }
        switch Int32(bitPattern: key.keyval) {
        case GDK_KEY_Down: strip.moveSelection(by: 1)
        case GDK_KEY_Up: strip.moveSelection(by: -1)
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter:
            guard let selection = strip.selection else { return false }
            choose(selection)
        default: return leaveByKey(key)
        }
        return true
    }

    private func leaveByKey(_ key: GdkEventKey) -> Bool {
        guard Int32(bitPattern: key.keyval) == GDK_KEY_Escape else { return false }
        guard strip?.widget.isVisible == true || phone.memoryQuestion != nil else { return false }
        dismiss()
        return true
    }
}

// MARK: - Who may be meant

extension SuggestionController {
    private var mayOffer: Bool { !isCovered && phone.calls.calls.isEmpty }

    private func numberChanged() {
        let before = lastNumber
        lastNumber = phone.number
        guard before != lastNumber else { return }
        if lastNumber.isEmpty { isDismissed = false }
        // What was pasted, chosen or dialled again is nobody's name.
        guard Self.isTyped(lastNumber, after: before) else { return hide() }
        look()
    }

    private static func isTyped(_ number: DialledNumber, after before: DialledNumber) -> Bool {
        abs(number.count - before.count) == 1
            && (number.text.hasPrefix(before.text) || before.text.hasPrefix(number.text))
    }

    private func contactsChanged(_ change: ContactBook.Change) {
        switch change {
        case .rows: if case .people = offered { look() }
        case .memory: showMemory()
        default: break
        }
    }

    private func look() {
        guard !isLooking else { return }
        isLooking = true
        // After the tone and the frame that shows the digit.
        MainLoop.afterFrame { [weak self] in
            self?.isLooking = false
            self?.offerPeople()
        }
    }

    private func offerPeople() {
        guard mayOffer, !isDismissed, phone.memoryQuestion == nil, phone.number.count >= Self.least else {
            if phone.memoryQuestion == nil { hide() }
            return
        }
        let people = contacts.suggestions(for: phone.number, maximum: Self.maximum)
        show(
            people.map { person in
                let number = phone.text(of: person.number)
                let place = ContactStrings.label(person.label)
                return SuggestionStrip.Row(
                    title: PlainText.line(person.name, maximum: 80), bold: person.inName,
                    detail: place.isEmpty ? number : "\(place)  \(number)",
                    name: localizedList(
                        [PlainText.line(person.name, maximum: 80), place, number].filter { !$0.isEmpty }))
            }, as: people.isEmpty ? .nothing : .people(people), name: localized("Suggestions"),
            closeName: localized("Close suggestions"))
    }
}

// MARK: - The memory keys

extension SuggestionController {
    private func showMemory() {
        guard let question = phone.memoryQuestion else {
            if case .memory = offered { hide() }
            return
        }
        // Under the pointer that holds MEM nothing is to come up.
        guard mayOffer, !phone.isMemoryHeld else { return hide() }
        let digits = (1...9).filter { question == .store || contacts.memory[$0] != nil }
        show(
            digits.map { digit in
                let key = contacts.memory[digit]
                let number = key.map { phone.text(of: $0.number) } ?? ""
                let name =
                    key.map { PlainText.line(contacts.name(of: $0), maximum: 80) }
                    ?? ContactStrings.emptyMemoryKey
                return SuggestionStrip.Row(
                    title: "\(digit)  \(name.isEmpty ? number : name)", bold: 0..<1,
                    detail: name.isEmpty ? "" : number,
                    name: localizedList(["\(digit)", name, number].filter { !$0.isEmpty }))
            }, as: digits.isEmpty ? .nothing : .memory(digits), name: localized("Memory keys"),
            closeName: localized("Close memory keys"))
    }
}

// MARK: - The strip

extension SuggestionController {
    private func show(
        _ rows: [SuggestionStrip.Row], as offered: Offered, name: String, closeName: String
    ) {
        self.offered = offered
        guard !rows.isEmpty else { return hide() }
        (strip ?? makeStrip()).show(rows, name: name, closeName: closeName)
    }

    private func makeStrip() -> SuggestionStrip {
        let strip = SuggestionStrip()
        gtk_overlay_add_overlay(widget.cast(), strip.widget)
        strip.onChoose = { [weak self] in self?.choose($0) }
        strip.onClose = { [weak self] in self?.dismiss() }
        self.strip = strip
        return strip
    }

    private func hide() {
        offered = .nothing
        strip?.hide()
    }

    private func dismiss() {
        if phone.memoryQuestion != nil { phone.leaveMemory() } else { isDismissed = true }
        hide()
    }

    private func choose(_ index: Int) {
        let offered = offered
        hide()
        switch offered {
        case .nothing: break
        case .people(let people) where people.indices.contains(index):
            phone.fill(people[index].number, name: people[index].name)
        case .memory(let digits) where digits.indices.contains(index): phone.chooseMemory(digits[index])
        case .people, .memory: break
        }
    }

    /// Between the display and the keypad.
    private func place() -> GdkRectangle? {
        guard let strip else { return nil }
        var (left, top, bottom): (gint, gint, gint) = (0, 0, 0)
        gtk_widget_translate_coordinates(
            display, widget, 0, gtk_widget_get_allocated_height(display), &left, &top)
        gtk_widget_translate_coordinates(keypad, widget, 0, 0, nil, &bottom)
        let height = max(1, bottom - top - 2 * Self.gap)
        strip.fit(height: height - 2)
        return GdkRectangle(
            x: left, y: top + Self.gap, width: gtk_widget_get_allocated_width(display), height: height)
    }

    /// How far the strip keeps from display and keypad, in pixels.
    private static let gap: gint = 2
}
