// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge

/// libebook, loaded when the desktop's address books are first used, and separate because it depends on sixty
/// libraries; loading is tried only once, by any thread.
public final class BooksLibrary: Sendable {
    public static let fileName = "libtouchtone-books.so"

    typealias Event =
        @convention(c) (
            Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt,
            UnsafeMutableRawPointer?
        ) -> Void

    /// The functions in CBooks.h, which this module must not import: that would link the library.
    struct Functions: Sendable {
        typealias Text = UnsafePointer<CChar>

        let newDesktop: @convention(c) (Event?, UnsafeMutableRawPointer?) -> OpaquePointer?
        let runDesktop, stopDesktop, freeDesktop: @convention(c) (OpaquePointer?) -> Void
        let fetch: @convention(c) (OpaquePointer?, Text?, Text?, UInt) -> Void
    }

    private let library: LazyLibrary<Functions>

    /// `folders` are searched in order, at the first use.
    public init(folders: [String]) {
        library = LazyLibrary { () throws(SharedLibrary.Failure) in
            let library = try SharedLibrary(Self.fileName, in: folders)
            return Functions(
                newDesktop: try library.function("cbooks_desktop_new"),
                runDesktop: try library.function("cbooks_desktop_run"),
                stopDesktop: try library.function("cbooks_desktop_stop"),
                freeDesktop: try library.function("cbooks_desktop_free"),
                fetch: try library.function("cbooks_desktop_fetch"))
        }
    }

    func functions() throws(SharedLibrary.Failure) -> Functions { try library.functions() }
}
