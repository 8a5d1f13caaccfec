// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
public import TouchtoneCore

/// libphonenumber, loaded when a number first needs it.
///
/// It is in a separate shared object, since it depends on ICU, protobuf and Boost and takes 8.5 ms to initialize, and
/// most users' numbers never need it. Loading is tried only once; if it fails, every result is nil and `failure` has
/// the reason.
public final class PhoneNumberLibrary: AsYouTypeFormatting {
    public enum Failure: Error, Hashable, Sendable {
        /// The library is in none of these folders.
        case notFound(folders: [String])
        /// The dynamic linker refuses the file, for the reason that it reports.
        case notLoadable(path: String, reason: String)
        /// The file is a different library or a different version: it lacks the named function.
        case notOurs(path: String, missing: String)
    }

    public static let fileName = "libtouchtone-numbers.so"

    private typealias Format =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> Int32

    private typealias FormatOutgoing =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<CChar>, Int
        ) -> Int32

    private typealias IsEmergency =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32

    private typealias ListRegions =
        @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> Int32

    private struct Functions {
        let format: Format
        let formatOutgoing: FormatOutgoing
        let listRegions: ListRegions
        let isEmergency: IsEmergency
    }

    private let folders: [String]
    private lazy var loaded = Self.load(from: folders)

    /// `folders` are searched in order, when a number first needs the library.
    public init(folders: [String] = LibraryFolders.standard) { self.folders = folders }

    /// The reason why the library cannot be used; nil if it can, or if no number has needed it yet.
    public private(set) var failure: Failure?

    public func format(_ number: String, region: String) -> String? {
        guard let format = functions()?.format else { return nil }
        return Self.text { format(number, region, $0, $1) }
    }

    /// Returns a number as dialled from `region`, without separators; nil leaves it unchanged.
    public func outgoing(_ number: String, form: DialRules.Form, region: String) -> String? {
        guard form != .asDialled, let format = functions()?.formatOutgoing else { return nil }
        return Self.text { format(number, region, form == .international ? 1 : 0, $0, $1) }
    }

    /// Returns whether at most 40 digits are an emergency number of `region`; false without the library.
    public func isEmergency(_ number: String, region: String) -> Bool {
        functions().map { $0.isEmergency(number, region) == 1 } ?? false
    }

    /// Returns the regions with known numbering plans, in the alphabetical order of a locale, such as
    /// `de_DE.UTF-8`; empty without the library.
    public func regions(language: String) -> [ListedRegion] {
        // CPHONENUMBERS_REGIONS_ROOM of CPhoneNumbers.h.
        guard let list = functions()?.listRegions,
            let text = Self.text(capacity: 32768, { list(language, $0, $1) })
        else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count == 3 else { return nil }
            return ListedRegion(code: fields[0], callingCode: fields[1], name: fields[2])
        }
    }

    /// Returns the text that a function of the library writes; nil if there is none, or too much for it.
    ///
    /// The default `capacity` is for a number with a separator after each character, and the NUL.
    private static func text(
        capacity: Int = 2 * DialledNumber.capacity + 1, _ write: (UnsafeMutablePointer<CChar>, Int) -> Int32
    ) -> String? {
        var text = [CChar](repeating: 0, count: capacity)
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

    /// Loads the library from the first folder that has it, for good: ICU does not survive unloading.
    private static func load(from folders: [String]) -> Result<Functions, Failure> {
        // With a bare name, the linker would search folders that do not belong to the program.
        let paths = folders.map { "\($0)/\(fileName)" }
        guard let path = paths.first(where: { access($0, R_OK) == 0 }) else {
            return .failure(.notFound(folders: folders))
        }
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            return .failure(.notLoadable(path: path, reason: dlerror().map { String(cString: $0) } ?? ""))
        }
        let names = [
            "cphonenumbers_format", "cphonenumbers_outgoing", "cphonenumbers_regions",
            "cphonenumbers_is_emergency",
        ]
        var found: [UnsafeMutableRawPointer] = []
        for name in names {
            guard let function = dlsym(library, name) else {
                return .failure(.notOurs(path: path, missing: name))
            }
            found.append(function)
        }
        // The types are those of CPhoneNumbers.h, which this module must not import: that would link the library.
        return .success(
            Functions(
                format: unsafeBitCast(found[0], to: Format.self),  // as in CPhoneNumbers.h
                formatOutgoing: unsafeBitCast(found[1], to: FormatOutgoing.self),  // as in CPhoneNumbers.h
                listRegions: unsafeBitCast(found[2], to: ListRegions.self),  // as in CPhoneNumbers.h
                isEmergency: unsafeBitCast(found[3], to: IsEmergency.self)))  // as in CPhoneNumbers.h
    }
}
