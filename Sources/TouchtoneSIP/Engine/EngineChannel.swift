// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import GLibBridge
import SIPMessages

/// The phone's end of the connection to the engine's process: messages in both directions, without ever blocking.
@MainActor
final class EngineChannel {
    /// The greatest number of bytes that wait to be sent: beyond it, the engine no longer reads.
    static let maximumWaiting = 4 << 20
    private static let bytesAtOnce = 64 << 10

    /// The receiver of lines.
    var onLine: (([UInt8]) -> Void)?
    /// The receiver of the end of the connection, which `close()` does not report.
    var onEnd: (() -> Void)?

    private var socket: GObjectRef?
    private var splitter = LineSplitter()
    private var outgoing: [UInt8] = []
    private var input: OpaquePointer?
    private var output: OpaquePointer?

    /// Creates a channel that owns a connected socket.
    ///
    /// - Throws: `GLibError` if the descriptor is not a socket.
    init(socket descriptor: Int32) throws(GLibError) {
        let socket = GObjectRef(
            taking: UnsafeMutableRawPointer(try GLibError.unwrap { g_socket_new_from_fd(descriptor, $0) }))
        g_socket_set_blocking(socket.cast(), 0)
        self.socket = socket
        input = source(G_IO_IN, of: socket) { [weak self] in self?.receive() }
    }

    isolated deinit { close() }

    /// Queues a command, and sends as much as the engine takes at once.
    func send(_ command: SIPCommand) {
        guard socket != nil else { return }
        guard let line = MessageCoding.line(for: command) else {
            return DebugLog.write("sip: a command is too long")
        }
        outgoing += line
        flush()
        if outgoing.count > Self.maximumWaiting { end() }
    }

    /// Closes the connection, which ends the engine.
    func close() {
        for source in [input, output] { source.map { Self.remove($0) } }
        (input, output, outgoing) = (nil, nil, [])
        if let socket { g_socket_close(socket.cast(), nil) }
        socket = nil
    }

    private func end() {
        guard socket != nil else { return }
        close()
        onEnd?()
    }

    /// Handles what has arrived, without waiting.
    func receive() {
        guard let socket else { return }
        var error: UnsafeMutablePointer<GError>?
        var count: gssize = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.bytesAtOnce) { buffer, length in
            count = buffer.withMemoryRebound(to: CChar.self) {
                g_socket_receive(socket.cast(), $0.baseAddress, gsize($0.count), nil, &error)
            }
            length = max(0, count)
        }
        if let error {
            if !GLibError(taking: error).matches(g_io_error_quark(), G_IO_ERROR_WOULD_BLOCK.rawValue) {
                end()
            }
            return
        }
        guard count > 0 else { return end() }
        for line in splitter.lines(after: bytes) {
            // A line may have closed the connection.
            guard self.socket != nil else { return }
            onLine?(line)
        }
    }

    private func flush() {
        guard let socket else { return }
        while !outgoing.isEmpty {
            var error: UnsafeMutablePointer<GError>?
            let count = outgoing.withUnsafeBufferPointer { buffer in
                buffer.withMemoryRebound(to: CChar.self) {
                    g_socket_send(socket.cast(), $0.baseAddress, gsize($0.count), nil, &error)
                }
            }
            if let error {
                guard GLibError(taking: error).matches(g_io_error_quark(), G_IO_ERROR_WOULD_BLOCK.rawValue)
                else {
                    // The main loop reports the end, so that no call ends while it is being commanded.
                    outgoing = []
                    break
                }
                if output == nil { output = source(G_IO_OUT, of: socket) { [weak self] in self?.flush() } }
                return
            }
            outgoing.removeFirst(count)
        }
        if let output { Self.remove(output) }
        output = nil
    }

    // MARK: - Sources

    private func source(
        _ condition: GIOCondition, of socket: GObjectRef, _ body: @escaping @MainActor () -> Void
    ) -> OpaquePointer? {
        let source = g_socket_create_source(socket.cast(), condition, nil)
        let call: @convention(c) (gpointer?, GIOCondition, gpointer?) -> gboolean = { _, _, data in
            Box<@MainActor () -> Void>.call(data) { $0() }
            return 1
        }
        g_source_set_callback(
            // G_SOURCE_FUNC: GLib stores functions of all signatures as one type, and calls each by its source's.
            source, unsafeBitCast(call, to: GSourceFunc.self), Box(body).retained,
            { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } })
        g_source_attach(source, nil)
        return source.map { OpaquePointer($0) }
    }

    private static func remove(_ source: OpaquePointer) {
        let source = UnsafeMutablePointer<GSource>(source)
        g_source_destroy(source)
        g_source_unref(source)
    }
}
