// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The small keys that switch between the pages of the panel; the key of the current page is lit.
@MainActor
final class PageSwitch {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, style: "page-switch")
    var onChoose: (@MainActor (PanelPageName) -> Void)?
    private var keys: [PanelPageName: (key: Widget, badge: Widget)] = [:]

    init(_ pages: [PanelPageName]) {
        gtk_box_set_homogeneous(widget.cast(), 1)
        var group: Widget?
        var names: [Widget] = []
        for page in pages {
            let key: Widget = gtk_radio_button_new_from_widget(group?.cast())
            group = group ?? key
            gtk_toggle_button_set_mode(key.cast(), 0)
            for style in ["key", "soft", "page-key"] { key.set(style: style, true) }
            let face = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 5)
            let badge = Widget.label(style: "badge")
            gtk_widget_set_no_show_all(badge, 1)
            gtk_widget_set_valign(badge, GTK_ALIGN_CENTER)
            let texts = page.texts
            let name: Widget = gtk_label_new(texts.label)
            names.append(name)
            face.add(name, grows: true)
            face.add(badge)
            gtk_container_add(key.cast(), face)
            cgtk_widget_set_accessible(key, texts.accessibleName, nil)
            gtk_widget_set_tooltip_text(key, texts.tip)
            widget.add(key, grows: true)
            keys[page] = (key, badge)
            Signal.connect(key, "toggled") { [weak self] in
                if gtk_toggle_button_get_active(key.cast()) != 0 { self?.onChoose?(page) }
            }
        }
        // A long word, or a number beside it, must not widen the panel, and with it the window.
        FittedLabel.fit(names)
        gtk_widget_show_all(widget)
    }

    func show(_ page: PanelPageName) {
        guard let key = keys[page]?.key else { return }
        gtk_toggle_button_set_active(key.cast(), 1)
    }

    /// Shows the number of new items on a page's key, with a description such as `2 missed`; 0 hides it.
    func show(_ count: Int, on page: PanelPageName, description: String) {
        guard let (key, badge) = keys[page] else { return }
        badge.text = localizedBadge(count)
        badge.isVisible = count > 0
        key.setAccessible(description: count > 0 ? description : "")
    }
}

extension PanelPageName {
    /// The accessible name differs from those of the Messages soft key and the Calls list.
    fileprivate var texts: (label: String, accessibleName: String, tip: String) {
        switch self {
        case .messages: (localized("MESSAGES"), localized("Messages page"), localized("Messages (Alt+1)"))
        case .calls: (localized("CALLS"), localized("Calls page"), localized("Calls (Alt+2)"))
        case .contacts: (localized("CONTACTS"), localized("Contacts page"), localized("Contacts (Alt+3)"))
        }
    }
}
