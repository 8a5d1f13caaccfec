// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport

@testable import TouchtoneUI

/// What an assistive tool still reads from objects that it got before.
@MainActor
enum Held {
    /// The accessible objects of a widget, of all that is in it, and of all that they have as children.
    static func objects(in root: Widget) -> [GObjectRef] {
        var found: [UnsafeMutablePointer<AtkObject>: GObjectRef] = [:]
        func visit(_ object: UnsafeMutablePointer<AtkObject>, _ depth: Int) {
            guard depth < 60, found[object] == nil else { return }
            found[object] = GObjectRef(retaining: object)
            for index in 0..<atk_object_get_n_accessible_children(object) {
                guard let child = atk_object_ref_accessible_child(object, index) else { continue }
                visit(child, depth + 1)
                g_object_unref(child)
            }
        }
        for widget in [root] + descendants(of: root) {
            if let accessible = gtk_widget_get_accessible(widget) { visit(accessible, 0) }
        }
        return Array(found.values)
    }

    /// The names, descriptions and texts of objects, without those that say nothing.
    static func texts(_ objects: [GObjectRef]) -> [String] {
        objects.flatMap { ref -> [String] in
            let object: UnsafeMutablePointer<AtkObject> = ref.cast()
            var texts = [atk_object_get_name(object), atk_object_get_description(object)].compactMap {
                $0.map { String(cString: $0) }
            }
            if cgtk_instance_is_a(object, atk_text_get_type()) != 0,
                let text = atk_text_get_text(OpaquePointer(object), 0, -1)
            {
                texts.append(String(cString: text))
                g_free(text)
            }
            return texts.filter { !$0.isEmpty }
        }
    }
}
