// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
internal import Synchronization

/// libebook, loaded when the desktop's address books are first used.
///
/// It is in a separate shared object, since it depends on sixty libraries. Loading is tried only once. Any thread may
/// use this class.
public final class BooksLibrary: Sendable {
    /// The name of the library's file.
    public static let fileName = "libtouchtone-books.so"

    /// The reason why the library cannot be used, for the debug log.
    struct Failure: Error, Hashable {
        let reason: String
    }

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

    private let folders: [String]
    private let loaded = Mutex<Result<Functions, Failure>?>(nil)

    /// Creates the library without loading it.
    ///
    /// - Parameter folders: The folders to search, in order.
    public init(folders: [String]) { self.folders = folders }

    /// Returns the library's functions.
    ///
    /// The first call loads the library, which takes tens of milliseconds.
    func functions() throws(Failure) -> Functions {
        try loaded.withLock { loaded in
            let result = loaded ?? Self.load(from: folders)
            loaded = result
            return result
        }.get()
    }

    /// Loads the library from the first folder that has it.
    ///
    /// It stays loaded: GLib's types do not survive unloading.
    private static func load(from folders: [String]) -> Result<Functions, Failure> {
        // With a bare name, the linker would search folders that do not belong to the program.
        let paths = folders.map { "\($0)/\(fileName)" }
        guard let path = paths.first(where: { access($0, R_OK) == 0 }) else {
            return .failure(
                Failure(reason: "\(fileName) is not installed (it is part of Touchtone)"))
        }
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            return .failure(Failure(reason: dlerror().map { String(cString: $0) } ?? path))
        }
        func symbol<Function>(_ name: String, _ type: Function.Type) -> Function? {
            // dlsym(3) returns no type. The types in `Functions` are those of CBooks.h, which must not be imported.
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let new = symbol("cbooks_desktop_new", Functions.NewDesktop.self),
            let run = symbol("cbooks_desktop_run", Functions.UseDesktop.self),
            let stop = symbol("cbooks_desktop_stop", Functions.UseDesktop.self),
            let free = symbol("cbooks_desktop_free", Functions.UseDesktop.self),
            let fetch = symbol("cbooks_desktop_fetch", Functions.Fetch.self)
        else {
            return .failure(
                Failure(reason: "\(path) is not Touchtone’s library, or is the wrong version"))
        }
        return .success(
            Functions(
                newDesktop: new, runDesktop: run, stopDesktop: stop, freeDesktop: free,
                fetch: fetch))
    }
}
