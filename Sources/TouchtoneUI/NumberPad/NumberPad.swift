// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The on-screen number pad, which all number fields of the app share.
///
/// It appears below the focused field, and does not take the focus. It is created when it is first shown, which never
/// happens if the setting `number-pad` or the absence of a touch screen disables it.
@MainActor
final class NumberPad {
    private let resources: Resources
    private let settings: Settings
    private var view: NumberPadView?
    /// The number field that has the focus, if any.
    private weak var focused: NumberField?
    /// The field that the pad is shown for, if any.
    private(set) weak var field: NumberField?
    /// The focused field whose pad the user has closed.
    private weak var dismissed: NumberField?
    private var isHandingOver = false
    private var hasSeenTouch = false

    init(resources: Resources, settings: Settings) {
        (self.resources, self.settings) = (resources, settings)
        settings.follow("number-pad") { [weak self] in self?.preferenceChanged() }
    }

    /// Makes a number field of an entry, which shows the pad while it has the focus.
    @discardableResult
    func attach(
        to entry: UnsafeMutablePointer<GtkEntry>, taking content: NumberField.Content
    ) -> NumberField {
        NumberField(entry, taking: content, pad: self)
    }

    /// Whether focused fields show the pad.
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

    /// Creates the view if needed; without a valid layout, it is nil, and fields accept the keyboard only.
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

    // MARK: - Events of fields

    func focusCame(to field: NumberField) {
        focused = field
        if isHandingOver { dismissed = field }
        if dismissed !== field { open(under: field) }
    }

    /// - Parameter withWindow: Whether the window of the field lost the focus, too.
    func focusWent(from field: NumberField, withWindow: Bool) {
        if focused === field { focused = nil }
        // The pad stays closed when the window regains the focus.
        if dismissed === field, !withWindow { dismissed = nil }
        if self.field === field { close() }
    }

    /// Handles a click or touch on a field, which opens the pad again if the user had closed it.
    func pressed(_ field: NumberField, byTouch: Bool) {
        if byTouch { hasSeenTouch = true }
        dismissed = nil
        if focused === field { open(under: field) }
    }

    func moved(_ field: NumberField) {
        if self.field === field { view?.follow() }
    }

    /// Handles a field that was hidden or destroyed.
    func gone(_ field: NumberField) {
        focusWent(from: field, withWindow: false)
    }

    /// Closes the pad and moves the focus to the next widget.
    ///
    /// If that is a number field, it opens the pad only when it is clicked or touched.
    func finish() {
        guard let field else { return }
        close()
        isHandingOver = true
        field.giveFocusUp()
        isHandingOver = false
        if focused === field { dismissed = field }
    }
}
