// SPDX-License-Identifier: GPL-3.0-or-later

extension Signal {
    /// Filters text that is typed or pasted into an editable; the filter returns the text to insert instead.
    public static func connectInsertion(
        _ editable: OpaquePointer, _ filter: @escaping @MainActor (String) -> String
    ) {
        let isInserting = Flag()
        let handler: Insertion = { text, position in
            let filtered = filter(text)
            guard !isInserting.isSet, filtered != text else { return }
            g_signal_stop_emission_by_name(UnsafeMutableRawPointer(editable), "insert-text")
            guard !filtered.isEmpty else { return }
            isInserting.isSet = true
            gtk_editable_insert_text(editable, filtered, -1, position)
            isInserting.isSet = false
        }
        let trampoline:
            @convention(c) (
                gpointer?, UnsafePointer<CChar>?, gint, UnsafeMutablePointer<gint>?, gpointer?
            ) -> Void = { _, bytes, count, position, data in
                guard let bytes, let position else { return }
                let length = count < 0 ? strlen(bytes) : Int(count)
                // The text is not NUL-terminated if a length is given.
                let text = String(
                    decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
                nonisolated(unsafe) let place = position  // It stays on the main thread.
                Box<Insertion>.call(data) { $0(text, place) }
            }
        connect(UnsafeMutableRawPointer(editable), "insert-text", trampoline, handler)
    }

    private typealias Insertion = @MainActor (String, UnsafeMutablePointer<gint>) -> Void

    @MainActor
    private final class Flag {
        var isSet = false
    }
}
