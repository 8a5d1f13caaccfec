// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge

/// A desktop app that opens `tel:` links.
@MainActor
final class TelHandler {
    private let info: GObjectRef

    /// Returns the app that the user prefers, or another installed one, or nil if there is none but Touchtone.
    static func preferred(otherThan ownEntry: String) -> TelHandler? {
        if let chosen = g_app_info_get_default_for_uri_scheme("tel") {
            let handler = TelHandler(taking: chosen)
            if !handler.isEntry(ownEntry) { return handler }
        }
        let all = g_app_info_get_all_for_type("x-scheme-handler/tel")
        defer { g_list_free(all) }
        // Take over every reference, so that those not chosen are released.
        let handlers = sequence(first: all, next: { $0?.pointee.next })
            .prefix { $0 != nil }
            .compactMap { $0?.pointee.data }
            .map { TelHandler(taking: OpaquePointer($0)) }
        return handlers.first { !$0.isEntry(ownEntry) }
    }

    private init(taking info: OpaquePointer) {
        self.info = GObjectRef(taking: UnsafeMutableRawPointer(info))
    }

    var name: String { g_app_info_get_display_name(info.opaque).map { String(cString: $0) } ?? "" }

    /// Starts the app with a link, and returns once it runs; throws `GLibError` if it cannot be started.
    func launch(_ link: String) async throws(GLibError) {
        let uri = g_strdup(link)
        let list = g_list_append(nil, uri)
        let context = GObjectRef(taking: g_app_launch_context_new())
        defer { g_list_free_full(list) { g_free($0) } }
        _ = try await GIO.call {
            g_app_info_launch_uris_async(info.opaque, list, context.cast(), nil, $0, $1)
        } finish: {
            g_app_info_launch_uris_finish(info.opaque, $0, $1)
        }
    }

    private func isEntry(_ name: String) -> Bool {
        g_app_info_get_id(info.opaque).map { String(cString: $0) == name } ?? false
    }
}
