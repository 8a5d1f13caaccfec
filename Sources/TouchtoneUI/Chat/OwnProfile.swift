// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The form for the profile that the user publishes.
@MainActor
final class OwnProfile {
    private let chat: Chat
    private var known = Profile()

    private init(chat: Chat) { self.chat = chat }

    /// Opens the form in a popover; closing it changes nothing.
    static func show(chat: Chat, at widget: Widget) {
        let own = OwnProfile(chat: chat)
        RoomFormPopover.show(localized("Your Profile"), verb: localized("Save"), at: widget) {
            () throws(RoomError) in
            try await own.form()
        } send: { (form) throws(RoomError) in
            try await own.save(form)
        }
    }

    private func form() async throws(RoomError) -> RoomForm {
        do throws(ChatServiceError) {
            known = try await chat.ownProfile()
        } catch {
            throw .refused(error.text)
        }
        return RoomForm(
            instructions: localized("The people who can see it depend on your server: it may be everybody."),
            fields: Profile.Field.allCases.map {
                RoomForm.Field($0.rawValue, label: $0.label, .line(text(of: $0)))
            })
    }

    /// Sends the fields that the user has changed.
    private func save(_ form: RoomForm) async throws(RoomError) {
        var changes: [Profile.Field: String] = [:]
        for field in form.fields {
            guard case .line(let text) = field.answer, let kind = Profile.Field(rawValue: field.name),
                text != self.text(of: kind)
            else { continue }
            changes[kind] = text
        }
        guard !changes.isEmpty else { return }
        do throws(ChatServiceError) {
            try await chat.changeProfile(changes)
        } catch {
            throw .refused(error.text)
        }
    }

    private func text(of field: Profile.Field) -> String {
        PlainText.line(known.texts[field]?.first ?? "", maximum: 200)
    }
}
