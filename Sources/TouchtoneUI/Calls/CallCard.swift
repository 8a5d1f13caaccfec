// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The far end of the call: picture, name, number and state, shown in place of the keypad's digits.
@MainActor
final class CallCard {
    let widget: Widget
    private let builder: Builder
    private let initial, name, number, state, digits, text, record: Widget
    /// Whether the key is being set from the model.
    private var isShowing = false
    /// The action that opens the text of the call.
    var onText: (@MainActor () -> Void)?
    private let quality: CallQualityView
    private let calls: CallManager
    private let photo = Avatar(side: 72)
    private let contacts: ContactBook?
    private let pictures: AvatarLoader<Contact.ID>?
    private var person: Contact.ID?

    init(resources: Resources, calls: CallManager, contacts: ContactBook? = nil) throws(GLibError) {
        (self.calls, self.contacts) = (calls, contacts)
        builder = try Builder(file: resources.layout("call-card"))
        widget = try builder.object("card")
        initial = try builder.object("initial")
        name = try builder.object("name")
        number = try builder.object("number")
        state = try builder.object("state")
        digits = try builder.object("digits")
        text = try builder.object("text")
        record = try builder.object("record")
        FittedLabel.fit(wordsOf: [text, record])
        // Like the keypad, the keys are not mirrored in right-to-left languages.
        gtk_widget_set_direction(gtk_widget_get_parent(text), GTK_TEXT_DIR_LTR)
        quality = CallQualityView(try builder.object("quality"), on: widget, of: calls)
        for label in [name, number, state, digits] { gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR) }
        // Assistive tools need not read the picture or the initial, because the name is beside it.
        for picture in [initial, photo.widget] {
            atk_object_set_role(gtk_widget_get_accessible(picture), ATK_ROLE_IMAGE)
        }
        let card = widget
        pictures = contacts.map { AvatarLoader(of: $0, side: 72, on: card) }
        if let content = gtk_widget_get_parent(initial) {
            gtk_widget_set_halign(photo.widget, GTK_ALIGN_CENTER)
            gtk_widget_set_margin_bottom(photo.widget, 8)
            gtk_widget_set_no_show_all(photo.widget, 1)
            content.add(photo.widget)
            gtk_box_reorder_child(content.cast(), photo.widget, 0)
        }
        Signal.connect(text, "toggled") { [weak self] in
            guard let self, gtk_toggle_button_get_active(text.cast()) != 0 else { return }
            gtk_toggle_button_set_active(text.cast(), 0)
            onText?()
        }
        Signal.connect(record, "toggled") { [weak self] in
            guard let self, !isShowing else { return }
            calls.setRecorded(gtk_toggle_button_get_active(record.cast()) != 0)
            // If the call cannot be recorded now, the key is out again.
            if let current = calls.current { showRecording(of: current) }
        }
        quality.onToggle = { [weak self] in self?.showPicture() }
        pictures?.onRead = { [weak self] in if $0 == self?.person { self?.showPicture() } }
    }

    func show(_ call: Call, _ strings: CallStrings) {
        let known = strings.name(of: call.remote)
        name.text = known ?? strings.numberOrNone(call.remote)
        number.text = known == nil ? "" : strings.numberOrNone(call.remote)
        number.isVisible = known != nil
        initial.text = known?.first.map { String($0).uppercased() } ?? ""
        person = contacts?.contact(for: call.remote)?.id
        state.text = Self.sentence(call, calls)
        digits.text = call.digits
        digits.isVisible = !call.digits.isEmpty
        digits.setAccessible(description: localized("Digits sent"))
        quality.show(call)
        showText(of: call)
        showRecording(of: call)
        showPicture()
    }

    /// Shows whether text can be added, with the reason if it cannot.
    private func showText(of call: Call) {
        let isOff = calls.textUse == .never
        let canHaveText = call.canHaveText && call.state.isConversation && !isOff
        gtk_widget_set_sensitive(text, canHaveText ? 1 : 0)
        text.setTip(
            !call.canHaveText
                ? localized("This line carries no text.")
                : canHaveText
                    ? localized("Read and type text in the call")
                    : isOff
                        ? localized("Real-time text is turned off in Preferences.")
                        : localized("Text can be added once the call is answered."))
    }

    private func showRecording(of call: Call) {
        isShowing = true
        defer { isShowing = false }
        gtk_toggle_button_set_active(record.cast(), call.isRecorded ? 1 : 0)
        gtk_widget_set_sensitive(record, calls.canRecord && call.id == calls.current?.id ? 1 : 0)
        record.setTip(
            call.isRecorded
                ? localized("End the recording (Shift+Ctrl+R)")
                : call.features.contains(.recording)
                    ? localized("Record both sides of the call (Shift+Ctrl+R)")
                    : localized("Calls on this line can’t be recorded."))
    }

    /// Shows the picture, or else the first letter of the name; neither beside the quality, which needs the room.
    private func showPicture() {
        let picture = quality.isOpen ? nil : person.flatMap { pictures?.picture(of: $0) }
        photo.show(picture)
        initial.isVisible = picture == nil && !initial.text.isEmpty && !quality.isOpen
    }

    /// Returns the state of the call, and whether keys are lost, the microphone is muted or missing, or nothing is heard.
    private static func sentence(_ call: Call, _ calls: CallManager) -> String {
        let state = CallStrings.state(of: call, calls)
        let text = state.prefix(1).uppercased() + state.dropFirst()
        if call.refusesKeys { return localized("{state}, keys not sent", ["state": text]) }
        if call.isMuted { return localized("{state}, muted", ["state": text]) }
        if call.lacksMicrophone { return localized("{state}, no microphone", ["state": text]) }
        return call.isSilent ? localized("{state}, nothing heard", ["state": text]) : text
    }
}
