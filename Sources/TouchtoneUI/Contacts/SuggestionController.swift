// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The suggestions: contacts that match the number, or the memory keys while MEM waits for a digit.
///
/// The display's caption shows one of them. The list lies on the grille, where no key is. The search starts
/// only after a key's tone has started and its digit has been drawn.
@MainActor
final class SuggestionController {
    /// The overlay on which the list is laid.
    private let widget: Widget
    var onCaption: (@MainActor () -> Void)?
    private let phone: Phone
    private let contacts: ContactBook
    private let search: NumberSuggestions
    private let keypad: Widget
    private weak var navigator: (any Navigator)?
    private var strip: SuggestionStrip?
    private var offered: Offered = .nothing
    /// The previous number, which distinguishes typed digits from a number that was pasted or recalled.
    private var lastNumber: DialledNumber
    /// Whether the user has closed the suggestions; they stay hidden until the number is empty.
    private var isDismissed = false
    private var isLooking = false
    /// The people found for the present number.
    private var lastFound: [Suggestion] = []
    /// Whether the lock screen covers the phone; there are no suggestions then.
    private var isCovered = false

    struct Places {
        /// The overlay with the display, the keys and the grille.
        let overlay: Widget
        /// The keypad, below which the list appears.
        let keypad: Widget
    }

    private enum Offered {
        case nothing
        case people([Suggestion])
        case memory([Int])
    }

    private static let maximum = 5
    /// The minimum number of digits; a single one matches too many contacts.
    private static let least = 2

    init(
        phone: Phone, contacts: ContactBook, search: NumberSuggestions, places: Places,
        navigator: (any Navigator)?
    ) {
        (self.phone, self.contacts, self.search, self.navigator) = (phone, contacts, search, navigator)
        keypad = places.keypad
        lastNumber = phone.number
        widget = places.overlay
        Signal.connectPlace(widget) { [weak self] part in
            part == self?.strip?.widget ? self?.place() : nil
        }
        contacts.observe(by: self) { [weak self] in self?.contactsChanged($0) }
    }

    func phoneChanged(_ change: Phone.Change) {
        if change.contains(.display) { numberChanged() }
        if change.contains(.memory) { showMemory() }
        if change.contains(.calls), !mayOffer { hide() }
    }

    func setCovered(_ isCovered: Bool) {
        self.isCovered = isCovered
        guard isCovered else { return }
        phone.leaveMemory()
        hide()
    }

    /// Handles a key press while suggestions are shown; false if the key has no meaning for them.
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

    // MARK: - Contacts

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
        let number = phone.number
        let people = search.people(for: number, maximum: Self.maximum)
        show(people)
        Task { [weak self, search] in
            let calls = await search.calls(for: number, besides: people)
            // The list may have changed, or have been closed, meanwhile.
            guard let self, !calls.isEmpty, number == phone.number, mayOffer, !isDismissed,
                phone.memoryQuestion == nil, lastFound == people, strip?.selection == nil
            else { return }
            show(people + calls)
        }
    }

    private func show(_ people: [Suggestion]) {
        lastFound = people
        show(
            people.map(row(of:)), as: people.isEmpty ? .nothing : .people(people),
            name: localized("Suggestions"),
            closeName: localized("Close suggestions"))
    }

    private func row(of person: Suggestion) -> SuggestionStrip.Row {
        let number = person.number.isEmpty ? "" : phone.text(of: person.number)
        let place: String
        switch person.id {
        case .contact: place = ContactStrings.label(person.label)
        case .buddy(let address, _): place = number.isEmpty ? PlainText.line(address.text, maximum: 60) : ""
        case .call: place = person.name.isEmpty ? localized("called before") : ""
        }
        let name = PlainText.line(person.name, maximum: 80)
        return SuggestionStrip.Row(
            title: name.isEmpty ? number : name, bold: person.inName, place: place,
            number: name.isEmpty || number.isEmpty ? "" : isolatedText(number),
            name: localizedList([name, place, number].filter { !$0.isEmpty }))
    }

    // MARK: - Memory keys

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
                let number = key.map { PlainText.line(phone.text(of: $0.target), maximum: 80) } ?? ""
                let name =
                    key.map { PlainText.line(contacts.name(of: $0), maximum: 80) }
                    ?? ContactStrings.emptyMemoryKey
                return SuggestionStrip.Row(
                    title: "\(digit)  \(name.isEmpty ? number : name)", bold: 0..<1,
                    number: name.isEmpty ? "" : number,
                    name: localizedList(["\(digit)", name, number].filter { !$0.isEmpty }))
            }, as: digits.isEmpty ? .nothing : .memory(digits), name: localized("Memory keys"),
            closeName: localized("Close memory keys"))
    }

    // MARK: - Strip

    private func show(_ rows: [SuggestionStrip.Row], as offered: Offered, name: String, closeName: String) {
        self.offered = offered
        guard !rows.isEmpty else { return hide() }
        let strip = strip ?? makeStrip()
        if case .people = offered { strip.takesMessage = true } else { strip.takesMessage = false }
        strip.show(rows, name: name, closeName: closeName)
        onCaption?()
    }

    /// The selected suggestion, or else the first person, with the number of others; nil if nothing is offered.
    ///
    /// Without a selection, the memory keys have no first one: each is chosen by its digit.
    var caption: String? {
        guard let strip, !strip.rows.isEmpty else { return nil }
        if case .memory = offered, strip.selection == nil { return nil }
        let title = DisplayName.text(strip.rows[strip.selection ?? 0].title)
        let others = strip.selection == nil ? strip.rows.count - 1 : 0
        return others > 0 ? "\(title) +\(others)" : title
    }

    /// Opens the conversation with the selected suggestion, or else with the number in the display.
    func messageSelection() {
        guard case .people(let people) = offered, let selection = strip?.selection,
            people.indices.contains(selection)
        else {
            navigator?.showConversation(with: phone.number)
            return
        }
        message(people[selection])
    }

    private func message(_ person: Suggestion) {
        if case .buddy(let address, _) = person.id {
            navigator?.showConversation(with: address)
        } else {
            navigator?.showConversation(with: person.number)
        }
    }

    private func openMenu(of index: Int, at row: Widget, _ event: UnsafeMutablePointer<GdkEvent>) {
        guard case .people(let people) = offered, people.indices.contains(index) else { return }
        let (person, number) = (people[index], people[index].number)
        let text = number.isEmpty ? PlainText.line(person.name, maximum: 60) : phone.text(of: number)
        var items: [ContextMenu.Item?] = [
            .init(localized("Message {address}", ["address": text])) { [weak self] in
                self?.message(person)
            }
        ]
        if !number.isEmpty {
            items.insert(
                .init(localized("Call {number}", ["number": text])) { [phone] in phone.call(number)
                },
                at: 0)
        }
        ContextMenu(items: items).open(at: row, event: event)
    }

    var summary: String { strip?.summary ?? "" }

    private func makeStrip() -> SuggestionStrip {
        let strip = SuggestionStrip()
        gtk_overlay_add_overlay(widget.cast(), strip.widget)
        strip.onSelection = { [weak self] in self?.onCaption?() }
        strip.onChoose = { [weak self] in self?.choose($0) }
        strip.onClose = { [weak self] in self?.dismiss() }
        strip.onMessage = { [weak self] in self?.messageSelection() }
        strip.onMenu = { [weak self] in self?.openMenu(of: $0, at: $1, $2) }
        self.strip = strip
        return strip
    }

    private func hide() {
        offered = .nothing
        strip?.hide()
        onCaption?()
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
            let person = people[index]
            if person.number.isEmpty { message(person) } else { phone.fill(person.number, name: person.name) }
        case .memory(let digits) where digits.indices.contains(index): phone.chooseMemory(digits[index])
        case .people, .memory: break
        }
    }

    /// Returns the area of the list, in the coordinates of `widget`: as many rows as fit below the keypad.
    private func place() -> GdkRectangle? {
        guard let strip else { return nil }
        var (left, top): (gint, gint) = (0, 0)
        gtk_widget_translate_coordinates(
            keypad, widget, 0, gtk_widget_get_allocated_height(keypad), &left, &top)
        let room = gtk_widget_get_allocated_height(widget) - top - Self.gap - Self.margin
        return GdkRectangle(
            x: left, y: top + Self.gap, width: gtk_widget_get_allocated_width(keypad),
            height: strip.fit(height: max(1, room)))
    }

    /// The distance of the list from the keypad, which casts a shadow, and from the lower edge, in pixels.
    private static let (gap, margin): (gint, gint) = (8, 4)
}
