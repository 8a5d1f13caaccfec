// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Texts that a screen reader speaks, whichever widget has the focus.
///
/// A screen reader speaks changes of the focused widget only. Since ATK 2.50, it also speaks announcements. Earlier ones,
/// such as Orca 43, speak accessible objects with the role of a notification when they appear.
@MainActor
enum Announcements {
    /// The labels outside any window that a screen reader may still read, oldest first: it asks for their texts later.
    private(set) static var labels: [GObjectRef] = []
    private static let maximum = 16

    /// Lets the screen reader speak a text once, after the previous ones, if the widget is in a window.
    static func speak(_ text: String, from widget: Widget) {
        guard !text.isEmpty, let top = gtk_widget_get_toplevel(widget), gtk_widget_is_toplevel(top) != 0,
            let window = gtk_widget_get_accessible(top), cgtk_accessible_announce(window, text) == 0,
            let label = gtk_label_new(text), let notice = gtk_widget_get_accessible(label)
        else { return }
        labels.append(GObjectRef(sinking: label))
        if labels.count > maximum {
            // The list keeps the label until it is destroyed.
            gtk_widget_destroy(labels[0].cast())
            labels.removeFirst()
        }
        // Orca ignores objects without states, so the label has to be visible.
        gtk_widget_show(label)
        atk_object_set_role(notice, ATK_ROLE_NOTIFICATION)
        atk_object_set_parent(notice, window)
        atk_object_notify_state_change(notice, AtkState(ATK_STATE_SHOWING.rawValue), 1)
    }

    /// Clears the texts when the phone is locked, because a screen reader may hold references to the objects.
    static func forget() {
        for label in labels {
            gtk_label_set_text(label.cast(), "")
            gtk_widget_destroy(label.cast())
        }
        labels = []
    }
}

extension Widget {
    /// Lets a screen reader speak a text that is not about the focused widget.
    @MainActor func announce(_ text: String) {
        Announcements.speak(DirectionControls.contained(text), from: self)
    }

    /// Sets the accessible name and description, and lets a screen reader speak them if they change in view.
    @MainActor func setAnnounced(name: String, description: String) {
        let (name, description) = (
            DirectionControls.contained(name), DirectionControls.contained(description)
        )
        let accessible = gtk_widget_get_accessible(self)
        let before = [atk_object_get_name(accessible), atk_object_get_description(accessible)].map {
            $0.map { String(cString: $0) } ?? ""
        }
        guard before != [name, description] else { return }
        setAccessible(name: name)
        setAccessible(description: description)
        // A screen reader speaks the changes of the focused widget itself.
        guard gtk_widget_get_mapped(self) != 0, gtk_widget_has_focus(self) == 0 else { return }
        announce(localizedList([name, description].filter { !$0.isEmpty }))
    }
}
