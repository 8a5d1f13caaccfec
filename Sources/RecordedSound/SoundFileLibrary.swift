// SPDX-License-Identifier: GPL-3.0-or-later

import CSndFile
import Glibc

/// libsndfile, loaded for the first recorded tone, voice message, greeting or recording.
///
/// It brings nine libraries of codecs, whose symbols take a millisecond of every start to resolve. CSndFile has only the
/// types and constants: a call of a function that it declares would link the library. Any thread may use this type.
public enum SoundFileLibrary {
    /// libsndfile is missing, or lacks a function.
    public struct Failure: Error {
        /// The reason, in English.
        public let reason: String
    }

    struct Functions: Sendable {
        typealias File = OpaquePointer
        typealias Info = UnsafeMutablePointer<SF_INFO>

        let openVirtual:
            @convention(c) (UnsafeMutablePointer<SF_VIRTUAL_IO>?, Int32, Info?, UnsafeMutableRawPointer?) ->
                File?
        let command: @convention(c) (File?, Int32, UnsafeMutableRawPointer?, Int32) -> Int32
        let writeShort: @convention(c) (File?, UnsafePointer<Int16>?, Int64) -> Int64
        let readFramesFloat: @convention(c) (File?, UnsafeMutablePointer<Float>?, Int64) -> Int64
        let error, close: @convention(c) (File?) -> Int32
    }

    private static let library = Result { () throws(Failure) in
        guard let handle = dlopen("libsndfile.so.1", RTLD_NOW | RTLD_LOCAL) else {
            throw Failure(reason: dlerror().map { String(cString: $0) } ?? "libsndfile.so.1")
        }
        func function<Function>(_ name: String, _ type: Function.Type = Function.self) throws(Failure)
            -> Function
        {
            guard let address = dlsym(handle, name) else { throw Failure(reason: "libsndfile lacks \(name)") }
            // The address is that of a function, whose type is the one above.
            return unsafeBitCast(address, to: type)
        }
        return Functions(
            openVirtual: try function("sf_open_virtual"),
            command: try function("sf_command"),
            writeShort: try function("sf_write_short"),
            readFramesFloat: try function("sf_readf_float"),
            error: try function("sf_error"),
            close: try function("sf_close"))
    }

    /// Whether the library is there; the first call loads it.
    public static var isAvailable: Bool { (try? functions()) != nil }

    /// Returns the library's functions; the first call loads it, in about two milliseconds.
    static func functions() throws(Failure) -> Functions { try library.get() }
}
