// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport

@testable import TouchtoneUI

/// The texts that an assistive tool still reads from objects that it obtained earlier.
@MainActor
enum HeldAccessibles {
    /// Returns the accessible objects of a widget and its descendants, with all their children.
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

    /// Returns the names, descriptions and texts of objects, without empty ones.
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

/// A recorder of the accessible objects that report changes.
@MainActor
final class AccessibleEvents {
    /// The objects that have reported a change since the recorder was created.
    fileprivate(set) var told: Set<UnsafeMutableRawPointer> = []
    private var hooks: [(signal: guint, hook: gulong)] = []

    init() {
        let objects = ["children-changed", "property-change", "visible-data-changed"]
        let texts = ["text-changed", "text-insert", "text-remove"]
        for (names, type) in [(objects, atk_object_get_type()), (texts, atk_text_get_type())] {
            for name in names {
                let signal = g_signal_lookup(name, type)
                let hook = g_signal_add_emission_hook(
                    signal, 0,
                    { _, _, values, data in
                        guard let values, let data, let object = g_value_get_object(values) else { return 1 }
                        nonisolated(unsafe) let (teller, notes) = (object, data)  // On the main thread.
                        MainActor.assumeIsolated {
                            let events = Unmanaged<AccessibleEvents>.fromOpaque(notes).takeUnretainedValue()
                            events.told.insert(teller)
                        }
                        return 1
                    }, Unmanaged.passUnretained(self).toOpaque(), nil)
                hooks.append((signal, hook))
            }
        }
    }

    /// Stops recording; must be called before the recorder is released.
    func end() {
        for (signal, hook) in hooks { g_signal_remove_emission_hook(signal, hook) }
        hooks = []
    }
}
