// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
public import TouchtoneCore

/// libphonenumber, loaded when a number first needs it.
///
/// It is kept in a shared object of its own, since it brings ICU, protobuf and Boost with it and takes 8.5 ms to get
/// ready: most people's numbers never need it. Whether it could be loaded is found out once; where it could not,
/// every answer is nil and `failure` says why.
public final class PhoneNumberLibrary: AsYouTypeFormatting {
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

    private typealias Plan =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>,
            UnsafeMutablePointer<CChar>, Int
        ) -> Int32

    /// What the library can do.
    private struct Functions {
        let format: Format
        let plan: Plan
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
        // Room for a separator after each character and the NUL; a longer answer is refused.
        var text = [CChar](repeating: 0, count: 2 * DialledNumber.capacity + 1)
        let length = format(number, region, &text, text.count)
        guard length >= 0 else { return nil }
        return String(decoding: text.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The numbering plan of a region (ISO 3166-1 alpha-2, upper case); nil without the library, and for no region.
    public func plan(of region: String) -> DialRules.Plan? {
        guard let plan = functions()?.plan else { return nil }
        var numbers: [Int32] = [0, 0, 0]
        var trunk = [CChar](repeating: 0, count: 16)
        var international = trunk
        guard plan(region, &numbers, &trunk, &international, trunk.count) == 0 else { return nil }
        return DialRules.Plan(
            country: String(numbers[0]), trunk: Self.text(trunk), international: Self.text(international),
            shortest: Int(numbers[1]), shortestWithoutTrunk: Int(numbers[2]))
    }

    private static func text(_ bytes: [CChar]) -> String {
        String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
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
        let names = (format: "cphonenumbers_format", plan: "cphonenumbers_plan")
        guard let format = dlsym(library, names.format) else {
            return .failure(.notOurs(path: path, missing: names.format))
        }
        guard let plan = dlsym(library, names.plan) else {
            return .failure(.notOurs(path: path, missing: names.plan))
        }
        // The types are those of CPhoneNumbers.h, which this module must not import: it would link the library.
        return .success(
            Functions(
                format: unsafeBitCast(format, to: Format.self), plan: unsafeBitCast(plan, to: Plan.self)))
    }
}
