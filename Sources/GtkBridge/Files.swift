// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads and writes whole files by GIO, wherever they are, while the main loop goes on.
@MainActor
public enum Files {
    /// Why a file can't be read or written.
    public enum Trouble: Error, Hashable, Sendable {
        /// It is larger than it may be.
        case tooLarge
        /// Anything else, in the system's words.
        case failed(String)
    }

    /// Reads a file.
    ///
    /// - Parameter most: how many bytes it may have; no more of it is read than that.
    public static func read(_ uri: String, most: Int) async throws(Trouble) -> [UInt8] {
        let file = GObjectRef(taking: UnsafeMutableRawPointer(g_file_new_for_uri(uri)))
        let opened = await Pending.wait { g_file_read_async(file.opaque, G_PRIORITY_DEFAULT, nil, $0, $1) }
        let input = try checked { g_file_read_finish(file.opaque, opened.opaque, $0) }
        guard let input else { throw .failed("") }
        let stream = GObjectRef(taking: UnsafeMutableRawPointer(input))
        var bytes: [UInt8] = []
        while true {
            let piece = await Pending.wait {
                g_input_stream_read_bytes_async(stream.cast(), pieceSize, G_PRIORITY_DEFAULT, nil, $0, $1)
            }
            guard
                let read = try checked({ g_input_stream_read_bytes_finish(stream.cast(), piece.opaque, $0) })
            else { throw .failed("") }
            defer { g_bytes_unref(read) }
            var size: gsize = 0
            guard let data = g_bytes_get_data(read, &size), size > 0 else { return bytes }
            guard bytes.count + Int(size) <= most else { throw .tooLarge }
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: data, count: Int(size)))
        }
    }

    /// Writes a file, in place of what was there, all of it or nothing; only its owner may read it.
    public static func write(_ bytes: [UInt8], to uri: String) async throws(Trouble) {
        let file = GObjectRef(taking: UnsafeMutableRawPointer(g_file_new_for_uri(uri)))
        // Of no bytes, too, GIO wants to know where they are; one that is not written stands for that.
        let held = bytes.isEmpty ? [0] : bytes
        guard let whole = held.withUnsafeBytes({ g_bytes_new($0.baseAddress, gsize($0.count)) }),
            let content = g_bytes_new_from_bytes(whole, 0, gsize(bytes.count))
        else { throw .failed("") }
        g_bytes_unref(whole)
        defer { g_bytes_unref(content) }
        let written = await Pending.wait {
            g_file_replace_contents_bytes_async(
                file.opaque, content, nil, 0, G_FILE_CREATE_PRIVATE, nil, $0, $1)
        }
        try checked { g_file_replace_contents_finish(file.opaque, written.opaque, nil, $0) }
    }

    private static let pieceSize: gsize = 1 << 20

    @discardableResult
    private static func checked<Result>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result
    ) throws(Trouble) -> Result {
        do throws(GLibError) {
            return try GLibError.check(body)
        } catch {
            throw .failed(error.message)
        }
    }
}

/// An operation of GIO's that goes on, and the task that waits for it.
@MainActor
private enum Pending {
    /// Begins an operation with the callback and the data that it wants, and gives its result.
    static func wait(_ begin: (GAsyncReadyCallback, gpointer) -> Void) async -> GObjectRef {
        await withCheckedContinuation { done in
            let box = Box<@MainActor (OpaquePointer?) -> Void> { result in
                // GIO always has a result.
                guard let result else { return }
                done.resume(returning: GObjectRef(retaining: UnsafeMutableRawPointer(result)))
            }
            begin(
                { _, result, data in
                    nonisolated(unsafe) let result = result  // It stays on this, the main, thread.
                    Box<@MainActor (OpaquePointer?) -> Void>.callOnce(data) { $0(result) }
                }, box.retained)
        }
    }
}
