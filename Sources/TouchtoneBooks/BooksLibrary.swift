// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge

/// libebook, loaded when the desktop's address books are first used.
///
/// It is in a separate shared object, since it depends on sixty libraries. Loading is tried only once. Any thread may
/// use this class.
public final class BooksLibrary: Sendable {
    public static let fileName = "libtouchtone-books.so"

    typealias Event =
        @convention(c) (
            Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt,
            UnsafeMutableRawPointer?
        ) -> Void

    /// The functions in CBooks.h, which this module must not import: that would link the library.
    struct Functions: Sendable {
        typealias NewDesktop = @convention(c) (Event?, UnsafeMutableRawPointer?) -> OpaquePointer?
        typealias UseDesktop = @convention(c) (OpaquePointer?) -> Void
        typealias Fetch =
            @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt) -> Void

        let newDesktop: NewDesktop
        let runDesktop: UseDesktop
        let stopDesktop: UseDesktop
        let freeDesktop: UseDesktop
        let fetch: Fetch
    }

    private let library: LazyLibrary<Functions>

    /// `folders` are searched in order, at the first use.
    public init(folders: [String]) {
        library = LazyLibrary { () throws(SharedLibrary.Failure) in
            let library = try SharedLibrary(Self.fileName, in: folders)
            return Functions(
                newDesktop: try library.function("cbooks_desktop_new", Functions.NewDesktop.self),
                runDesktop: try library.function("cbooks_desktop_run", Functions.UseDesktop.self),
                stopDesktop: try library.function("cbooks_desktop_stop", Functions.UseDesktop.self),
                freeDesktop: try library.function("cbooks_desktop_free", Functions.UseDesktop.self),
                fetch: try library.function("cbooks_desktop_fetch", Functions.Fetch.self))
        }
    }

    func functions() throws(SharedLibrary.Failure) -> Functions { try library.functions() }
}
