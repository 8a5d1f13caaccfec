// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover with the profile that a buddy publishes, whose texts can be selected and copied.
@MainActor
final class ProfilePopover {
    private let popover: TransientPopover
    private let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 4, style: "ask")
    private let status = Widget.label(localized("Loading…"))

    private init(_ name: String, at widget: Widget) {
        popover = TransientPopover(at: widget)
        let title = localized("Profile of {name}", ["name": name])
        column.add(Self.wrapped(title, style: "ask-title"))
        gtk_label_set_line_wrap(status.cast(), 1)
        gtk_label_set_max_width_chars(status.cast(), 32)
        column.add(status)
        gtk_container_add(popover.widget.cast(), column)
        gtk_widget_show_all(column)
        cgtk_widget_set_accessible(popover.widget, title, nil)
    }

    /// Opens the popover, and requests the profile.
    ///
    /// - Parameters:
    ///   - name: The name of the buddy.
    ///   - place: The area of the widget that the popover points at.
    static func show(
        _ buddy: ChatAddress, name: String, chat: Chat, at widget: Widget, place: GdkRectangle
    ) {
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
        status.isVisible = false
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
        column.add(Self.wrapped(field.label, style: "ask-name"))
        let value = Self.wrapped(text)
        gtk_label_set_selectable(value.cast(), 1)
        value.setAccessible(description: field.label)
        column.add(value)
    }

    private static func wrapped(_ text: String, style: String? = nil) -> Widget {
        let label = Widget.label(text)
        if let style { label.set(style: style, true) }
        gtk_label_set_line_wrap(label.cast(), 1)
        gtk_label_set_line_wrap_mode(label.cast(), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_max_width_chars(label.cast(), 32)
        return label
    }
}

extension Profile.Field {
    /// The name of the field.
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
