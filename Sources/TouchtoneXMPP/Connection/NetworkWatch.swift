// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// Says when the network has changed: the system's in the program, a fake in tests.
@MainActor
public protocol NetworkWatch: AnyObject {
    /// Called when the network has changed, with whether there is one now.
    var onChange: (@MainActor (Bool) -> Void)? { get set }
}

/// GIO's watch, by NetworkManager or the kernel.
public final class SystemNetworkWatch: NetworkWatch {
    /// Called when the network has changed, with whether there is one now.
    public var onChange: (@MainActor (Bool) -> Void)?
    private let monitor = g_network_monitor_get_default()
    private var connection: gulong = 0

    /// Begins to watch.
    public init() {
        guard let monitor else { return }
        let changed: @convention(c) (OpaquePointer?, gboolean, gpointer?) -> Void = { _, isAvailable, data in
            guard let data else { return }
            MainActor.assumeIsolated {
                Unmanaged<SystemNetworkWatch>.fromOpaque(data).takeUnretainedValue().onChange?(
                    isAvailable != 0)
            }
        }
        // The watch takes its handler with it, below, so that it need not be kept for it.
        connection = g_signal_connect_data(
            UnsafeMutableRawPointer(monitor), "network-changed",
            // G_CALLBACK: GObject keeps functions of all signatures as one type, and calls each by its signal's.
            unsafeBitCast(changed, to: GCallback.self), Unmanaged.passUnretained(self).toOpaque(), nil,
            GConnectFlags(rawValue: 0))
    }

    isolated deinit {
        if let monitor { g_signal_handler_disconnect(UnsafeMutableRawPointer(monitor), connection) }
    }
}
