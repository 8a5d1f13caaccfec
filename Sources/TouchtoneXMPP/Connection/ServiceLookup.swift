// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge

@MainActor
protocol ServiceLookup: AnyObject {
    /// Returns the records of `_xmpp-client._tcp` and `_xmpps-client._tcp`; nil if there are none of either.
    func records(of domain: String) async -> [ServiceRecord]?
}

final class SystemServiceLookup: ServiceLookup {
    /// Counts a failed lookup as one without records: connecting needs DNS, too, and has the better error.
    func records(of domain: String) async -> [ServiceRecord]? {
        // Tasks of the main actor start on the main thread. `async let` does so only in a program that keeps all tasks
        // there (`MainLoop.keepTasksOnMainThread`), unlike this module's tests.
        let plain = Task { await Self.records(of: "xmpp-client", domain, isDirectTLS: false) }
        let direct = Task { await Self.records(of: "xmpps-client", domain, isDirectTLS: true) }
        let (one, other) = (await plain.value, await direct.value)
        return one == nil && other == nil ? nil : (one ?? []) + (other ?? [])
    }

    private static func records(
        of service: String, _ domain: String, isDirectTLS: Bool
    ) async -> [ServiceRecord]? {
        guard let ascii = g_hostname_to_ascii(domain) else { return nil }
        defer { g_free(ascii) }
        guard let resolver = g_resolver_get_default().map({ GObjectRef(taking: $0) }) else { return nil }
        let list = try? await GIO.call { callback, data in
            g_resolver_lookup_service_async(resolver.cast(), service, "tcp", ascii, nil, callback, data)
        } finish: { result, error in
            g_resolver_lookup_service_finish(resolver.cast(), result, error)
        }
        guard let first = list else { return nil }
        defer { g_resolver_free_targets(first) }
        return sequence(first: first, next: { $0.pointee.next }).compactMap { node in
            let target = OpaquePointer(node.pointee.data)
            guard let name = g_srv_target_get_hostname(target) else { return nil }
            return ServiceRecord(
                endpoint: Endpoint(
                    host: String(cString: name), port: g_srv_target_get_port(target), isDirectTLS: isDirectTLS
                ),
                priority: g_srv_target_get_priority(target), weight: g_srv_target_get_weight(target))
        }
    }
}
