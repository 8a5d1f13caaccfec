// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// A monitor of network changes: the system's in the program, a fake in tests.
@MainActor
public protocol NetworkWatch: AnyObject {
    /// Whether a network is available, as last reported; true before the first change.
    var isAvailable: Bool { get }
    /// Called after a change of the network, with whether a network is available.
    var onChange: (@MainActor (Bool) -> Void)? { get set }
}

/// GIO's monitor, which uses NetworkManager or the kernel.
public final class SystemNetworkWatch: NetworkWatch {
    public var onChange: (@MainActor (Bool) -> Void)?
    private let monitor = g_network_monitor_get_default().map { UnsafeMutableRawPointer($0) }
    private var connection: gulong = 0

    /// GLib's first value counts only networks with a default route, but a server may be in the local one.
    public private(set) var isAvailable = true

    public init() {
        guard let monitor else { return }
        let changed: @convention(c) (gpointer?, gboolean, gpointer?) -> Void = { _, isAvailable, data in
            Box<@MainActor (Bool) -> Void>.call(data) { $0(isAvailable != 0) }
        }
        let handler: @MainActor (Bool) -> Void = { [weak self] isAvailable in
            self?.isAvailable = isAvailable
            self?.onChange?(isAvailable)
        }
        connection = Signal.connect(monitor, "network-changed", changed, handler)
    }

    isolated deinit {
        if let monitor { Signal.disconnect(monitor, connection) }
    }
}
