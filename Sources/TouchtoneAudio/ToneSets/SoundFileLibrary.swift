// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile
import GLibBridge

/// libsndfile, loaded for the first recorded tone or voice message.
///
/// It brings nine libraries of codecs, whose symbols take a millisecond of every start to resolve. CSndFile has only the
/// types and constants: a call of a function that it declares would link the library. Any thread may use this type.
enum SoundFileLibrary {
    struct Functions: Sendable {
        typealias File = OpaquePointer
        typealias Info = UnsafeMutablePointer<SF_INFO>

        let open: @convention(c) (UnsafePointer<CChar>?, Int32, Info?) -> File?
        let openVirtual:
            @convention(c) (UnsafeMutablePointer<SF_VIRTUAL_IO>?, Int32, Info?, UnsafeMutableRawPointer?) ->
                File?
        let command: @convention(c) (File?, Int32, UnsafeMutableRawPointer?, Int32) -> Int32
        let writeShort: @convention(c) (File?, UnsafePointer<Int16>?, Int64) -> Int64
        let readFramesFloat: @convention(c) (File?, UnsafeMutablePointer<Float>?, Int64) -> Int64
        let error, close: @convention(c) (File?) -> Int32
    }

    private static let library = LazyLibrary { () throws(SharedLibrary.Failure) in
        let library = try SharedLibrary(ofSystem: "libsndfile.so.1")
        return Functions(
            open: try library.function("sf_open"),
            openVirtual: try library.function("sf_open_virtual"),
            command: try library.function("sf_command"),
            writeShort: try library.function("sf_write_short"),
            readFramesFloat: try library.function("sf_readf_float"),
            error: try library.function("sf_error"),
            close: try library.function("sf_close"))
    }

    /// Returns the library's functions; the first call loads it, in about two milliseconds.
    static func functions() throws(SharedLibrary.Failure) -> Functions { try library.functions() }
}
