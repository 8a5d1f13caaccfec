// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The on-screen number pad: one for all fields of the program that take a number.
///
/// It stands under the field that has the keyboard's focus, and leaves the focus there. It is made when a field first
/// wants it, which is never where the setting `number-pad` and the machine have no use for it.
@MainActor
final class NumberPad {
    private let resources: Resources
    private let settings: Settings
    private var view: NumberPadView?
    /// The field with the focus, if it is one that takes a number.
    private weak var focused: NumberField?
    /// The field that the pad stands under.
    private(set) weak var field: NumberField?
    /// The field that has the focus, but whose pad was put away.
    private weak var dismissed: NumberField?
    private var isHandingOver = false
    private var hasSeenTouch = false

    init(resources: Resources, settings: Settings) {
        self.resources = resources
        self.settings = settings
        settings.follow("number-pad") { [weak self] in self?.preferenceChanged() }
    }

    /// Has a field show the pad while it has the focus.
    @discardableResult
    func attach(
        to entry: UnsafeMutablePointer<GtkEntry>, taking content: NumberField.Content
    ) -> NumberField {
        NumberField(entry, taking: content, pad: self)
    }

    /// Whether fields show the pad.
    var isWanted: Bool {
        switch settings[text: "number-pad"] {
        case "always": true
        case "never": false
        default: hasSeenTouch || hasTouchDevice
        }
    }

    private var hasTouchDevice: Bool {
        guard let display = gdk_display_get_default(), let seat = gdk_display_get_default_seat(display)
        else { return false }
        return gdk_seat_get_capabilities(seat).rawValue & GDK_SEAT_CAPABILITY_TOUCH.rawValue != 0
    }

    private func preferenceChanged() {
        if let focused, isWanted {
            open(under: focused)
        } else {
            close()
        }
    }

    private func open(under field: NumberField) {
        guard isWanted, let view = ensureView() else { return }
        dismissed = nil
        self.field = field
        view.show(under: field)
    }

    private func close() {
        field = nil
        view?.hide()
    }

    /// A layout that is missing or broken leaves the fields as they are: a keyboard types into them still.
    private func ensureView() -> NumberPadView? {
        if view == nil { view = try? NumberPadView(resources: resources) { [weak self] in self?.press($0) } }
        return view
    }

    private func press(_ key: PadKey) {
        guard let field else { return }
        switch key {
        case .character(let character): field.insert(String(character))
        case .delete: field.delete()
        case .clear: field.deleteAll()
        case .done: finish()
        }
    }
}

// MARK: - What a field tells

extension NumberPad {
    /// The field has got the focus.
    func focusCame(to field: NumberField) {
        focused = field
        if isHandingOver { dismissed = field }
        if dismissed !== field { open(under: field) }
    }

    /// The field has lost the focus: to another one, or with its window.
    func focusWent(from field: NumberField, withWindow: Bool) {
        if focused === field { focused = nil }
        // A window that comes back finds its pad put away still.
        if dismissed === field, !withWindow { dismissed = nil }
        if self.field === field { close() }
    }

    /// The field was pressed by a pointer or a finger, which asks for the pad again where it was put away.
    func pressed(_ field: NumberField, byTouch: Bool) {
        if byTouch { hasSeenTouch = true }
        dismissed = nil
        if focused === field { open(under: field) }
    }

    /// The field has another place or size in its window.
    func moved(_ field: NumberField) {
        if self.field === field { view?.follow() }
    }

    /// The field can't be seen any more.
    func gone(_ field: NumberField) {
        focusWent(from: field, withWindow: false)
    }

    /// Puts the pad away, and has the field give the focus up to the next one; that one shows its pad when somebody
    /// presses it.
    func finish() {
        guard let field else { return }
        close()
        isHandingOver = true
        field.giveFocusUp()
        isHandingOver = false
        if focused === field { dismissed = field }
    }
}
