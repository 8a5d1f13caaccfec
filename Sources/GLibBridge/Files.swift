// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// The reading and writing of whole files by GIO, at any location, without blocking the main loop.
@MainActor
public enum Files {
    public enum Trouble: Error, Hashable, Sendable {
        case tooLarge
        /// A pipe, a socket or a device: reading it may take for ever.
        case noFile
        /// Any other error, with the system's description.
        case failed(String)
    }

    /// Returns the URI of an absolute path; nil if the path is relative.
    public nonisolated static func uri(of path: String) -> String? {
        guard let uri = g_filename_to_uri(path, nil, nil) else { return nil }
        defer { g_free(uri) }
        return String(cString: uri)
    }

    /// Returns the absolute path of a URI; nil if it is not a file on this computer.
    public nonisolated static func path(of uri: UnsafePointer<CChar>) -> String? {
        guard let path = g_filename_from_uri(uri, nil, nil) else { return nil }
        defer { g_free(path) }
        return String(cString: path)
    }

    /// Returns the names in a folder, in no order; empty if it cannot be read.
    public nonisolated static func names(in folder: String) -> [String] {
        guard let list = g_dir_open(folder, 0, nil) else { return [] }
        defer { g_dir_close(list) }
        var names: [String] = []
        while let name = g_dir_read_name(list) { names.append(String(cString: name)) }
        return names
    }

    /// Reads a file; `maximum` is in bytes, and no more than that is read, also if the file grows meanwhile.
    ///
    /// - Parameter cancellable: Ends the reading early, with an error.
    public static func read(_ uri: String, maximum: Int, cancellable: Cancellable? = nil)
        async throws(Trouble)
        -> [UInt8]
    {
        let file = file(uri)
        try await requireFile(file, maximum: maximum, cancellable)
        let input = try await call {
            g_file_read_async(file.opaque, G_PRIORITY_DEFAULT, cancellable?.pointer, $0, $1)
        } finish: {
            g_file_read_finish(file.opaque, $0, $1)
        }
        guard let input else { throw .failed("") }
        let stream = GObjectRef(taking: input)
        var bytes: [UInt8] = []
        while true {
            let piece = try await call {
                g_input_stream_read_bytes_async(
                    stream.cast(), pieceSize, G_PRIORITY_DEFAULT, cancellable?.pointer, $0, $1)
            } finish: {
                g_input_stream_read_bytes_finish(stream.cast(), $0, $1)
            }
            guard let piece else { throw .failed("") }
            defer { g_bytes_unref(piece) }
            var size: gsize = 0
            guard let data = g_bytes_get_data(piece, &size), size > 0 else { return bytes }
            guard bytes.count + Int(size) <= maximum else { throw .tooLarge }
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: data, count: Int(size)))
        }
    }

    /// Asks what a location is before it is opened: a pipe that nobody writes to would keep a thread of GIO until the end.
    private static func requireFile(
        _ file: GObjectRef, maximum: Int, _ cancellable: Cancellable?
    ) async throws(Trouble) {
        let information = try await call {
            g_file_query_info_async(
                file.opaque, "standard::type,standard::size", G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT,
                cancellable?.pointer, $0, $1)
        } finish: {
            g_file_query_info_finish(file.opaque, $0, $1)
        }
        guard let information else { throw .failed("") }
        let held = GObjectRef(taking: UnsafeMutableRawPointer(information))
        let type = g_file_info_get_file_type(held.opaque)
        guard type != G_FILE_TYPE_SPECIAL else { throw .noFile }
        // The size of a folder says nothing, and opening it says what is wrong.
        let size = g_file_info_get_attribute_uint64(held.opaque, "standard::size")
        guard type != G_FILE_TYPE_REGULAR || size <= UInt64(max(0, maximum)) else { throw .tooLarge }
    }

    /// Writes a file atomically, in place of an existing one; only its owner can read it.
    public static func write(_ bytes: [UInt8], to uri: String) async throws(Trouble) {
        let file = file(uri)
        // GIO requires an address even for no bytes, so one byte that is not written provides it.
        let held = bytes.isEmpty ? [0] : bytes
        guard let whole = held.withUnsafeBytes({ g_bytes_new($0.baseAddress, gsize($0.count)) }),
            let content = g_bytes_new_from_bytes(whole, 0, gsize(bytes.count))
        else { throw .failed("") }
        g_bytes_unref(whole)
        defer { g_bytes_unref(content) }
        _ = try await call {
            g_file_replace_contents_bytes_async(
                file.opaque, content, nil, 0, G_FILE_CREATE_PRIVATE, nil, $0, $1)
        } finish: {
            g_file_replace_contents_finish(file.opaque, $0, nil, $1)
        }
    }

    private static let pieceSize: gsize = 1 << 20

    private static func file(_ uri: String) -> GObjectRef {
        GObjectRef(taking: UnsafeMutableRawPointer(g_file_new_for_uri(uri)))
    }

    private static func call<Value>(
        _ start: (GAsyncReadyCallback, UnsafeMutableRawPointer) -> Void,
        finish: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value
    ) async throws(Trouble) -> Value {
        do throws(GLibError) {
            return try await GIO.call(start, finish: finish)
        } catch {
            throw .failed(error.message)
        }
    }
}
