// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile
import GLibBridge

/// libsndfile, loaded for the first recorded tone or voice message.
///
/// It brings nine libraries of codecs, whose symbols take a millisecond of every start to resolve. CSndFile has only the
/// types and constants: a call of a function that it declares would link the library. Any thread may use this type.
enum SoundFileLibrary {
    struct Functions: Sendable {
        typealias Open =
            @convention(c) (UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<SF_INFO>?) -> OpaquePointer?
        typealias OpenVirtual =
            @convention(c) (
                UnsafeMutablePointer<SF_VIRTUAL_IO>?, Int32, UnsafeMutablePointer<SF_INFO>?,
                UnsafeMutableRawPointer?
            ) -> OpaquePointer?
        typealias Command =
            @convention(c) (OpaquePointer?, Int32, UnsafeMutableRawPointer?, Int32) -> Int32
        typealias Write = @convention(c) (OpaquePointer?, UnsafePointer<Int16>?, Int64) -> Int64
        typealias Read = @convention(c) (OpaquePointer?, UnsafeMutablePointer<Float>?, Int64) -> Int64
        typealias Use = @convention(c) (OpaquePointer?) -> Int32

        let open: Open
        let openVirtual: OpenVirtual
        let command: Command
        let writeShort: Write
        let readFramesFloat: Read
        let error: Use
        let close: Use
    }

    private static let library = LazyLibrary { () throws(SharedLibrary.Failure) in
        let library = try SharedLibrary(ofSystem: "libsndfile.so.1")
        return Functions(
            open: try library.function("sf_open", Functions.Open.self),
            openVirtual: try library.function("sf_open_virtual", Functions.OpenVirtual.self),
            command: try library.function("sf_command", Functions.Command.self),
            writeShort: try library.function("sf_write_short", Functions.Write.self),
            readFramesFloat: try library.function("sf_readf_float", Functions.Read.self),
            error: try library.function("sf_error", Functions.Use.self),
            close: try library.function("sf_close", Functions.Use.self))
    }

    /// Returns the library's functions; the first call loads it, in about two milliseconds.
    static func functions() throws(SharedLibrary.Failure) -> Functions { try library.functions() }
}
