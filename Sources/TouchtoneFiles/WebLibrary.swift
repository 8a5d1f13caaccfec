// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge

/// libsoup behind Touchtone’s own interface, loaded at the first transfer.
///
/// It is in a separate shared object, since it brings twenty libraries. Loading is tried only once. Any thread may use
/// this class.
public final class WebLibrary: Sendable {
    public static let fileName = "libtouchtone-web.so"

    /// The functions in CWeb.h, which this module must not import: that would link the library.
    struct Functions: Sendable {
        typealias MayConnect = @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutableRawPointer?) -> Int32
        typealias Progress = @convention(c) (Int64, Int64, UnsafeMutableRawPointer?) -> Void
        typealias New =
            @convention(c) (
                UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt32, MayConnect?, Progress?,
                UnsafeMutableRawPointer?
            ) -> OpaquePointer?
        typealias Put =
            @convention(c) (
                OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
                UnsafePointer<UnsafePointer<CChar>?>?, Int32, Int64
            ) -> Int32
        typealias Get =
            @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32, Int64) -> Int32
        typealias Head = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Int32
        typealias Status = @convention(c) (OpaquePointer?) -> UInt32
        typealias Count = @convention(c) (OpaquePointer?) -> Int64
        typealias Text = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
        typealias Use = @convention(c) (OpaquePointer?) -> Void

        let new: New
        let put: Put
        let get: Get
        let head: Head
        let status: Status
        let count: Count
        let size: Count
        let location: Text
        let mediaType: Text
        let cancel: Use
        let free: Use
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
                new: try library.function("cweb_new", Functions.New.self),
                put: try library.function("cweb_put", Functions.Put.self),
                get: try library.function("cweb_get", Functions.Get.self),
                head: try library.function("cweb_head", Functions.Head.self),
                status: try library.function("cweb_status", Functions.Status.self),
                count: try library.function("cweb_count", Functions.Count.self),
                size: try library.function("cweb_size", Functions.Count.self),
                location: try library.function("cweb_location", Functions.Text.self),
                mediaType: try library.function("cweb_media_type", Functions.Text.self),
                cancel: try library.function("cweb_cancel", Functions.Use.self),
                free: try library.function("cweb_free", Functions.Use.self))
        }
    }

    func functions() throws(SharedLibrary.Failure) -> Functions { try library.functions() }
}
