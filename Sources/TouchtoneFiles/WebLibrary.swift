// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge

/// libsoup behind Touchtone’s own interface, loaded at the first transfer, and separate because it brings
/// twenty libraries; loading is tried only once, by any thread.
public final class WebLibrary: Sendable {
    public static let fileName = "libtouchtone-web.so"

    /// The functions in CWeb.h, which this module must not import: that would link the library.
    struct Functions: Sendable {
        typealias MayConnect = @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutableRawPointer?) -> Int32
        typealias Progress = @convention(c) (Int64, Int64, UnsafeMutableRawPointer?) -> Void
        typealias Write = @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutableRawPointer?) -> Int32
        typealias Handle = OpaquePointer
        typealias Text = UnsafePointer<CChar>

        let new:
            @convention(c) (Text?, Text?, UInt32, MayConnect?, Progress?, UnsafeMutableRawPointer?) -> Handle?
        let put: @convention(c) (Handle?, Text?, Text?, UnsafePointer<Text?>?, Int32, Int64) -> Int32
        let get: @convention(c) (Handle?, Text?, Write?, UnsafeMutableRawPointer?, Int64) -> Int32
        let head: @convention(c) (Handle?, Text?) -> Int32
        let status: @convention(c) (Handle?) -> UInt32
        let count, size: @convention(c) (Handle?) -> Int64
        let location, mediaType: @convention(c) (Handle?) -> Text?
        let cancel, free: @convention(c) (Handle?) -> Void
    }

    private let library: LazyLibrary<Functions>

    /// `folders` are searched in order, at the first transfer.
    public init(folders: [String]) {
        library = LazyLibrary { () throws(SharedLibrary.Failure) in
            // libsoup 3 ends a process that has libsoup 2, which a module of GTK may have loaded.
            guard !SharedLibrary.isLoaded("libsoup-2.4.so.1") else {
                throw SharedLibrary.Failure(reason: "libsoup 2 is in the process")
            }
            let library = try SharedLibrary(Self.fileName, in: folders)
            return Functions(
                new: try library.function("cweb_new"),
                put: try library.function("cweb_put"),
                get: try library.function("cweb_get"),
                head: try library.function("cweb_head"),
                status: try library.function("cweb_status"),
                count: try library.function("cweb_count"),
                size: try library.function("cweb_size"),
                location: try library.function("cweb_location"),
                mediaType: try library.function("cweb_media_type"),
                cancel: try library.function("cweb_cancel"),
                free: try library.function("cweb_free"))
        }
    }

    func functions() throws(SharedLibrary.Failure) -> Functions { try library.functions() }
}
