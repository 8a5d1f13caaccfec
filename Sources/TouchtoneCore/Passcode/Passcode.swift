// SPDX-License-Identifier: GPL-3.0-or-later

/// The digits that open the phone.
///
/// It is kept nowhere: the store keeps a hash of it. What is printed of one shows how long it is, and no digit.
public struct Passcode: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// How many digits a passcode may have.
    public static let lengths = 4...8
    /// How many it has where nobody asks for another length.
    public static let usualLength = 4

    /// The digits, 0 to 9.
    public let digits: [UInt8]

    /// A passcode of digits; nil where there are too few or too many, or one is no digit.
    public init?(_ digits: [UInt8]) {
        guard Self.lengths.contains(digits.count), digits.allSatisfy({ $0 <= 9 }) else { return nil }
        self.digits = digits
    }

    /// A passcode as it is typed, in the digits of any script and with nothing else in it.
    public init?(_ text: String) {
        guard text.utf8.count <= 4 * Self.lengths.upperBound else { return nil }
        let digits = text.unicodeScalars.map { scalar -> UInt8? in
            guard scalar.properties.numericType == .decimal else { return nil }
            return scalar.properties.numericValue.map { UInt8($0) }
        }
        self.init(digits.compactMap { $0 })
        guard self.digits.count == digits.count else { return nil }
    }

    /// A dot for each digit.
    public var description: String { String(repeating: "•", count: digits.count) }

    /// Nothing: a passcode is not to be had from a dump.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Who keeps the passcode's hash.
public enum PasscodeHolder: String, Hashable, Sendable {
    /// The desktop's keyring (Secret Service).
    case keyring
    /// A file that only the user can read.
    case file
}

/// What is known of the passcode that is set, without knowing it.
public struct PasscodeMark: Hashable, Sendable {
    /// Which passcode it is: 32 hexadecimal digits that its hash is kept with.
    ///
    /// A new passcode in place of an old one keeps the id; one that is set after the old one was removed has another.
    public let id: String
    /// Who keeps the hash.
    public let holder: PasscodeHolder
    /// How many digits there are.
    public let digits: Int

    /// A mark, which is refused (nil) where it can be none.
    public init?(id: String, holder: PasscodeHolder, digits: Int) {
        guard Self.isID(id), Passcode.lengths.contains(digits) else { return nil }
        self.id = id
        self.holder = holder
        self.digits = digits
    }

    /// Whether a text can be an id.
    static func isID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
