// SPDX-License-Identifier: GPL-3.0-or-later

/// A closure that is boxed as a C user-data pointer.
public final class Box<Handler> {
    private let handler: Handler

    public init(_ handler: Handler) {
        self.handler = handler
    }

    /// The address, with a reference that the receiver releases with `callOnce` or `release`.
    public var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// Calls the closure in the box at `data`, on the main actor: C calls back on the thread of its main loop.
    public static func call(_ data: UnsafeMutableRawPointer?, _ body: @MainActor (Handler) -> Void) {
        guard let data else { return }
        nonisolated(unsafe) let address = data  // It stays on the main thread.
        MainActor.assumeIsolated {
            body(Unmanaged<Box<Handler>>.fromOpaque(address).takeUnretainedValue().handler)
        }
    }

    /// Calls the closure and releases the reference: C does not call it again.
    public static func callOnce(_ data: UnsafeMutableRawPointer?, _ body: @MainActor (Handler) -> Void) {
        call(data, body)
        if let data { Unmanaged<Box<Handler>>.fromOpaque(data).release() }
    }
}
