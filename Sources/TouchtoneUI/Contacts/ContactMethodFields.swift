// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The fields of one contact method in the editor: its type, the number or address, and a button that removes it.
@MainActor
final class ContactMethodFields {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
    var onChange: (@MainActor () -> Void)?
    var onRemove: (@MainActor () -> Void)?
    let kind: ContactMethod.Kind
    private let entry: Widget = gtk_entry_new()
    private let place: Widget = gtk_button_new()
    private let placeLabel = Widget.label(isCut: true)
    private var chosen: ContactMethod.Label

    init(_ method: ContactMethod, pad: NumberPad) {
        (kind, chosen) = (method.kind, method.label)
        let face = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 2)
        face.add(placeLabel, grows: true)
        face.add(.icon("pan-down-symbolic"))
        gtk_container_add(place.cast(), face)
        place.set(style: "panel-key", true)
        place.set(style: "place", true)
        gtk_label_set_width_chars(placeLabel.cast(), Self.placeWidth)
        gtk_label_set_max_width_chars(placeLabel.cast(), Self.placeWidth)
        PanelEntry.dress(entry)
        gtk_entry_set_text(entry.cast(), method.text)
        gtk_entry_set_width_chars(entry.cast(), 8)
        gtk_entry_set_placeholder_text(entry.cast(), Self.hint(kind))
        gtk_entry_set_max_length(entry.cast(), gint(ContactCard.maximumTextLength))
        cgtk_widget_set_accessible(entry, ContactStrings.field(kind), nil)
        // Numbers and addresses are written from left to right in every language.
        gtk_widget_set_direction(entry, GTK_TEXT_DIR_LTR)
        if kind == .number { pad.attach(to: entry.cast(), taking: .number) }
        let remove = Widget.iconButton(
            "list-remove-symbolic", name: ContactStrings.removal(of: kind), tip: localized("Remove"))
        widget.add(place)
        widget.add(entry, grows: true)
        widget.add(remove)
        for part in [place, remove] { gtk_widget_set_valign(part, GTK_ALIGN_CENTER) }
        gtk_widget_show_all(widget)
        showPlace()
        Signal.connect(entry, "changed") { [weak self] in
            self?.setWrong(false)
            self?.onChange?()
        }
        Signal.connect(remove, "clicked") { [weak self] in self?.onRemove?() }
        Signal.connect(place, "clicked") { [weak self] in self?.choosePlace() }
    }

    var method: ContactMethod {
        ContactMethod(kind, entry.entryText, label: chosen)
    }

    func focus() { gtk_widget_grab_focus(entry) }

    func setWrong(_ isWrong: Bool) { entry.set(style: "wrong", isWrong) }

    private static func hint(_ kind: ContactMethod.Kind) -> String {
        switch kind {
        case .number: "(555) 867-5309"
        case .sip: "grace@example.org"
        case .xmpp: "grace@example.org"
        }
    }

    private static func places(_ kind: ContactMethod.Kind) -> [ContactMethod.Label] {
        kind == .number ? [.mobile, .home, .work, .fax, .other] : [.other, .home, .work]
    }

    /// The width of the types, in characters: that of the longest type of a number or kind of address in the user’s
    /// language, within bounds, so that the fields of all methods are aligned.
    private static var placeWidth: gint {
        let methods =
            places(.number).map { ContactMethod(.number, "", label: $0) }
            + [ContactMethod(.sip, ""), ContactMethod(.xmpp, "")]
        return gint(min(max(6, methods.map { ContactStrings.label($0).count }.max() ?? 0), 10))
    }

    private func showPlace() {
        let label = ContactStrings.label(ContactMethod(kind, "", label: chosen))
        placeLabel.text = label
        cgtk_widget_set_accessible(place, localized("Type: {type}", ["type": label]), nil)
        gtk_widget_set_tooltip_text(place, label)
    }

    private func choosePlace() {
        let items = Self.places(kind).map { other in
            let label = ContactStrings.label(ContactMethod(kind, "", label: other))
            return ContextMenu.Item(label, isEnabled: other != chosen) { [weak self] in
                self?.chosen = other
                self?.showPlace()
                self?.onChange?()
            }
        }
        ContextMenu(items: items).open(at: place, event: nil)
    }
}
