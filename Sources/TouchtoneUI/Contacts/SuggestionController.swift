// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The suggestions below the display: contacts that match the number, or the memory keys while MEM waits for a digit.
///
/// The search starts only after a key's tone has started and its digit has been drawn.
@MainActor
final class SuggestionController {
    /// The set with the suggestions over it, to be placed in the window.
    let widget: Widget
    private let phone: Phone
    private let contacts: ContactBook
    private let set: Widget
    private let display: Widget
    private let keypad: Widget
    private var strip: SuggestionStrip?
    private var offered: Offered = .nothing
    /// The previous number, which distinguishes typed digits from a number that was pasted or recalled.
    private var lastNumber: DialledNumber
    /// Whether the user has closed the suggestions; they stay hidden until the number is empty.
    private var isDismissed = false
    private var isLooking = false
    /// Whether the lock screen covers the phone; there are no suggestions then.
    private var isCovered = false

    private enum Offered {
        case nothing
        case people([Suggestion])
        case memory([Int])
    }

    /// The maximum number of suggested contacts.
    private static let maximum = 5
    /// The minimum number of digits; a single one matches too many contacts.
    private static let least = 2

    /// Creates the overlay without suggestions.
    ///
    /// - Parameters:
    ///   - phone: The phone whose number is matched.
    ///   - contacts: The contacts to suggest.
    ///   - set: The widget with the display, the soft keys and the keypad.
    ///   - display: The display, below which suggestions appear.
    ///   - keypad: The keypad, above which they end.
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

    /// Updates the suggestions after a change of the phone.
    func phoneChanged(_ change: Phone.Change) {
        if change.contains(.display) { numberChanged() }
        if change.contains(.memory) { showMemory() }
        if change.contains(.calls), !mayOffer { hide() }
    }

    /// Hides the suggestions while the lock screen covers the phone.
    func setCovered(_ isCovered: Bool) {
        self.isCovered = isCovered
        guard isCovered else { return }
        phone.leaveMemory()
        hide()
    }

    /// Handles a key press while suggestions are shown.
    ///
    /// - Returns: false if the key has no meaning for the suggestions.
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

// MARK: - Contacts

extension SuggestionController {
    private var mayOffer: Bool { !isCovered && phone.calls.calls.isEmpty }

    private func numberChanged() {
        let before = lastNumber
        lastNumber = phone.number
        guard before != lastNumber else { return }
        if lastNumber.isEmpty { isDismissed = false }
        // A number that was pasted, chosen or recalled does not spell a name.
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
        // The tone and the frame that shows the digit come first.
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
                    detail: place.isEmpty ? number : "\(place)  \(isolatedText(number))",
                    name: localizedList(
                        [PlainText.line(person.name, maximum: 80), place, number].filter { !$0.isEmpty }))
            }, as: people.isEmpty ? .nothing : .people(people), name: localized("Suggestions"),
            closeName: localized("Close suggestions"))
    }
}

// MARK: - Memory keys

extension SuggestionController {
    private func showMemory() {
        guard let question = phone.memoryQuestion else {
            if case .memory = offered { hide() }
            return
        }
        // Nothing must appear under a pointer that holds MEM.
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

// MARK: - Strip

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

    /// Returns the area between the display and the keypad, in the coordinates of `widget`.
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

    /// The distance of the strip from the display and the keypad, in pixels.
    private static let gap: gint = 2
}
