// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
internal import Synchronization

/// A library that is loaded when needed, and never unloaded: GLib’s types and ICU do not survive that.
public struct SharedLibrary {
    /// The reason why a library cannot be used, for the debug log.
    public struct Failure: Error, Hashable {
        /// The reason, in English.
        public let reason: String

        public init(reason: String) { self.reason = reason }
    }

    private let path: String
    private let handle: UnsafeMutableRawPointer

    /// Loads a library of the program’s own from the first folder that has it, in tens of milliseconds.
    public init(_ fileName: String, in folders: [String]) throws(Failure) {
        // With a bare name, the linker would search folders that do not belong to the program.
        let paths = folders.map { "\($0)/\(fileName)" }
        guard let path = paths.first(where: { access($0, R_OK) == 0 }) else {
            throw Failure(reason: "\(fileName) is not installed (it is part of Touchtone)")
        }
        try self.init(opening: path)
    }

    /// Loads a library of the system, such as `libsndfile.so.1`.
    ///
    /// - Parameter prefersItself: Whether it uses its own functions even if the program has others of the same names.
    public init(ofSystem name: String, prefersItself: Bool = false) throws(Failure) {
        try self.init(opening: name, flags: prefersItself ? RTLD_DEEPBIND : 0)
    }

    private init(opening path: String, flags: Int32 = 0) throws(Failure) {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags) else {
            throw Failure(reason: dlerror().map { String(cString: $0) } ?? path)
        }
        (self.path, self.handle) = (path, handle)
    }

    /// Returns whether the process has loaded a library of the system, such as `libc.so.6`.
    public static func isLoaded(_ name: String) -> Bool {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD) else { return false }
        dlclose(handle)
        return true
    }

    /// Returns the address of a function of the library, for a type that Swift does not have, as of variadic functions.
    public func address(of name: String) throws(Failure) -> UnsafeMutableRawPointer {
        guard let address = dlsym(handle, name) else {
            throw Failure(reason: "\(path) lacks \(name); it may be the wrong version")
        }
        return address
    }

    /// Returns a function of the library, whose type the caller must know: dlsym(3) returns none.
    public func function<Function>(
        _ name: String, _ type: Function.Type = Function.self
    ) throws(Failure) -> Function {
        let address = try address(of: name)
        // The address is that of a function, whose type the caller has checked.
        return unsafeBitCast(address, to: type)
    }
}

/// The functions of a library that any thread loads by their first use; loading is tried only once.
public final class LazyLibrary<Functions: Sendable>: Sendable {
    private let load: @Sendable () throws(SharedLibrary.Failure) -> Functions
    private let loaded = Mutex<Result<Functions, SharedLibrary.Failure>?>(nil)

    public init(_ load: @escaping @Sendable () throws(SharedLibrary.Failure) -> Functions) {
        self.load = load
    }

    /// Returns the functions; the first call takes tens of milliseconds.
    public func functions() throws(SharedLibrary.Failure) -> Functions {
        try loaded.withLock { loaded in
            let result = loaded ?? Result { () throws(SharedLibrary.Failure) in try load() }
            loaded = result
            return result
        }.get()
    }
}
