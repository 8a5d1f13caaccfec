// SPDX-License-Identifier: GPL-3.0-or-later

public import GLibBridge
public import TouchtoneCore

/// libphonenumber, loaded when a number first needs it, and separate because it depends on ICU, protobuf and
/// Boost, and takes 8.5 ms to initialize; if that fails, every result is nil.
public final class PhoneNumberLibrary: AsYouTypeFormatting {
    public static let fileName = "libtouchtone-numbers.so"

    /// The functions in CPhoneNumbers.h, which this module must not import: that would link the library.
    private struct Functions: Sendable {
        typealias Text = UnsafePointer<CChar>
        typealias Room = UnsafeMutablePointer<CChar>

        let format: @convention(c) (Text, Text, Room, Int) -> Int32
        let formatOutgoing: @convention(c) (Text, Text, Int32, Room, Int) -> Int32
        let listRegions: @convention(c) (Text, Room, Int) -> Int32
        let isEmergency: @convention(c) (Text, Text) -> Int32
        let version: @convention(c) (Room, Int) -> Int32
    }

    private let library: LazyLibrary<Functions>
    /// The reason why the library cannot be used; nil if it can, or if no number has needed it yet.
    public private(set) var failure: SharedLibrary.Failure?

    /// `folders` are searched in order, when a number first needs the library.
    public init(folders: [String] = LibraryFolders.standard) {
        library = LazyLibrary { () throws(SharedLibrary.Failure) in
            let library = try SharedLibrary(Self.fileName, in: folders)
            return Functions(
                format: try library.function("cphonenumbers_format"),
                formatOutgoing: try library.function("cphonenumbers_outgoing"),
                listRegions: try library.function("cphonenumbers_regions"),
                isEmergency: try library.function("cphonenumbers_is_emergency"),
                version: try library.function("cphonenumbers_version"))
        }
    }

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

    /// The version of libphonenumber, such as `8.13`; nil without the library, or if it is not known.
    public var version: String? {
        guard let version = functions()?.version else { return nil }
        return Self.text { version($0, $1) }
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
        do throws(SharedLibrary.Failure) {
            return try library.functions()
        } catch {
            failure = error
            return nil
        }
    }
}
