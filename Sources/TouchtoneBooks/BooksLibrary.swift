// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
internal import Synchronization

/// libebook, loaded when the address books of the desktop are first followed.
///
/// It is kept in a shared object of its own, since it brings sixty libraries with it. Whether it could be loaded
/// is found out once. Any thread may use it.
public final class BooksLibrary: Sendable {
    /// What the library's file is called.
    public static let fileName = "libtouchtone-books.so"

    /// Why the library can't be used, in words for people.
    struct Failure: Error, Hashable {
        let reason: String
    }

    typealias Event =
        @convention(c) (
            Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt,
            UnsafeMutableRawPointer?
        ) -> Void

    /// The functions of CBooks.h, which this module must not import: it would link the library.
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
    /// - Parameter folders: where to look for it, the first place first.
    public init(folders: [String]) { self.folders = folders }

    /// The library's functions; it is loaded if that has not been tried yet, which takes tens of milliseconds.
    func functions() throws(Failure) -> Functions {
        try loaded.withLock { loaded in
            let result = loaded ?? Self.load(from: folders)
            loaded = result
            return result
        }.get()
    }

    /// Loads the library from the first folder that has it, for good: GLib's types do not survive being unloaded.
    private static func load(from folders: [String]) -> Result<Functions, Failure> {
        // By its path only: a bare name would have the linker search places that are not ours.
        let paths = folders.map { "\($0)/\(fileName)" }
        guard let path = paths.first(where: { access($0, R_OK) == 0 }) else {
            return .failure(Failure(reason: "\(fileName), a part of Touchtone, is not installed"))
        }
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            return .failure(Failure(reason: dlerror().map { String(cString: $0) } ?? path))
        }
        func symbol<Function>(_ name: String, _ type: Function.Type) -> Function? {
            // What dlsym(3) gives has no type; CBooks.h, which must not be imported, has it as in `Functions`.
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let new = symbol("cbooks_desktop_new", Functions.NewDesktop.self),
            let run = symbol("cbooks_desktop_run", Functions.UseDesktop.self),
            let stop = symbol("cbooks_desktop_stop", Functions.UseDesktop.self),
            let free = symbol("cbooks_desktop_free", Functions.UseDesktop.self),
            let fetch = symbol("cbooks_desktop_fetch", Functions.Fetch.self)
        else { return .failure(Failure(reason: "\(path) is another library, or another version")) }
        return .success(
            Functions(
                newDesktop: new, runDesktop: run, stopDesktop: stop, freeDesktop: free,
                fetch: fetch))
    }
}
