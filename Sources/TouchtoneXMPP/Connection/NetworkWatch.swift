// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge

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
    private let monitor = g_network_monitor_get_default().map { UnsafeMutableRawPointer($0) }
    private var connection: gulong = 0

    /// Begins to watch.
    public init() {
        guard let monitor else { return }
        let changed: @convention(c) (gpointer?, gboolean, gpointer?) -> Void = { _, isAvailable, data in
            Box<@MainActor (Bool) -> Void>.call(data) { $0(isAvailable != 0) }
        }
        let handler: @MainActor (Bool) -> Void = { [weak self] in self?.onChange?($0) }
        connection = Signal.connect(monitor, "network-changed", changed, handler)
    }

    isolated deinit {
        if let monitor { Signal.disconnect(monitor, connection) }
    }
}
