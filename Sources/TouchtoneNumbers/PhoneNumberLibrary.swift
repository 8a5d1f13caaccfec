// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
public import TouchtoneCore

/// libphonenumber, loaded when a number first needs it.
///
/// It is kept in a shared object of its own, since it brings ICU, protobuf and Boost with it and takes 8.5 ms to get
/// ready: most people's numbers never need it. Whether it could be loaded is found out once; where it could not,
/// every answer is nil and `failure` says why.
public final class PhoneNumberLibrary: AsYouTypeFormatting, OutgoingFormatting {
    /// Why the library can't be used.
    public enum Failure: Error, Hashable, Sendable {
        /// It is in none of these folders.
        case notFound(folders: [String])
        /// The file is there, but the dynamic linker refuses it, for the reason in its own words.
        case notLoadable(path: String, reason: String)
        /// The file is another library, or another version of ours: it has no such function.
        case notOurs(path: String, missing: String)
    }

    /// What the library's file is called.
    public static let fileName = "libtouchtone-numbers.so"

    private typealias Format =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> Int32

    private typealias FormatOutgoing =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<CChar>, Int
        ) -> Int32

    /// The functions of the library.
    private struct Functions {
        let format: Format
        let formatOutgoing: FormatOutgoing
    }

    private let folders: [String]
    private lazy var loaded = Self.load(from: folders)

    /// Creates the library without loading it.
    ///
    /// - Parameter folders: where to look for it, the first place first.
    public init(folders: [String] = LibraryFolders.standard) { self.folders = folders }

    /// Why the library can't be used; nil when it can, or when no number has asked for it yet.
    public private(set) var failure: Failure?

    /// The number as libphonenumber shows it while it is typed; nil without the library, and for what is no number.
    public func format(_ number: String, region: String) -> String? {
        guard let format = functions()?.format else { return nil }
        return Self.text { format(number, region, $0, $1) }
    }

    /// The number as it is dialled from the region; nil where it should stay as it is, and without the library.
    public func outgoing(_ number: String, form: DialRules.Form, region: String) -> String? {
        guard form != .asDialled, let format = functions()?.formatOutgoing else { return nil }
        return Self.text { format(number, region, form == .international ? 1 : 0, $0, $1) }
    }

    /// The text that a function of the library writes; nil where its answer is that there is none.
    private static func text(_ write: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String? {
        // Room for a separator after each character and the NUL; a longer answer is refused.
        var text = [CChar](repeating: 0, count: 2 * DialledNumber.capacity + 1)
        let length = write(&text, text.count)
        guard length >= 0 else { return nil }
        return String(decoding: text.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func functions() -> Functions? {
        switch loaded {
        case .success(let functions): return functions
        case .failure(let failure):
            self.failure = failure
            return nil
        }
    }

    /// Loads the library from the first folder that has it, for good: ICU does not survive being unloaded.
    private static func load(from folders: [String]) -> Result<Functions, Failure> {
        // By its path only: a bare name would have the linker search places that are not ours.
        let paths = folders.map { "\($0)/\(fileName)" }
        guard let path = paths.first(where: { access($0, R_OK) == 0 }) else {
            return .failure(.notFound(folders: folders))
        }
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            return .failure(.notLoadable(path: path, reason: dlerror().map { String(cString: $0) } ?? ""))
        }
        let names = (format: "cphonenumbers_format", outgoing: "cphonenumbers_outgoing")
        guard let format = dlsym(library, names.format) else {
            return .failure(.notOurs(path: path, missing: names.format))
        }
        guard let outgoing = dlsym(library, names.outgoing) else {
            return .failure(.notOurs(path: path, missing: names.outgoing))
        }
        // The types are those of CPhoneNumbers.h, which this module must not import: it would link the library.
        return .success(
            Functions(
                format: unsafeBitCast(format, to: Format.self),
                formatOutgoing: unsafeBitCast(outgoing, to: FormatOutgoing.self)))
    }
}
