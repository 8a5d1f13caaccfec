// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover with the profile that a buddy publishes, whose texts can be selected and copied.
@MainActor
final class ProfilePopover {
    private let popover: TransientPopover
    private let column: Widget
    private let status = Widget.wrappedLabel(localized("Loading…"))

    private init(_ name: String, at widget: Widget) {
        popover = TransientPopover(at: widget)
        column = popover.makeColumn(localized("Profile of {name}", ["name": name]), spacing: 4)
        column.add(status)
        gtk_widget_show_all(column)
    }

    static func show(_ buddy: ChatAddress, name: String, chat: Chat, at widget: Widget, place: GdkRectangle?)
    {
        let profile = ProfilePopover(name, at: widget)
        profile.popover.open(with: profile, place: place)
        Task { await profile.load(buddy, from: chat) }
    }

    private func load(_ buddy: ChatAddress, from chat: Chat) async {
        do throws(ChatServiceError) {
            let profile = try await chat.profile(of: buddy)
            guard popover.isOpen else { return }
            show(profile)
        } catch {
            guard popover.isOpen else { return }
            show(status: PlainText.line(error.text, maximum: 400))
        }
    }

    private func show(_ profile: Profile) {
        guard !profile.texts.isEmpty else {
            return show(status: localized("This buddy publishes nothing."))
        }
        for field in Profile.Field.allCases {
            for text in profile.texts[field] ?? [] { add(PlainText.line(text, maximum: 200), to: field) }
        }
        gtk_widget_show_all(column)
        status.isVisible = false
        gtk_widget_child_focus(column, GTK_DIR_TAB_FORWARD)
    }

    private func show(status text: String) {
        status.text = text
        status.announce(text)
    }

    private func add(_ text: String, to field: Profile.Field) {
        column.add(Widget.wrappedLabel(field.label, style: "ask-name"))
        let value = Widget.wrappedLabel(text)
        gtk_label_set_selectable(value.cast(), 1)
        value.setAccessible(description: field.label)
        column.add(value)
    }
}

extension Profile.Field {
    var label: String {
        switch self {
        case .name: localized("Name")
        case .nickname: localized("Nickname")
        case .company: localized("Company")
        case .number: localized("Number")
        case .email: localized("Email")
        case .website: localized("Website")
        }
    }
}
