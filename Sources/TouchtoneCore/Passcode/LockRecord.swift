// SPDX-License-Identifier: GPL-3.0-or-later

/// The lock's state as it is kept from one run of the program to the next: which passcode is set, and its attempts.
///
/// That there is such a record says that a passcode is set, whatever else is missing.
public struct LockRecord: Hashable, Sendable {
    /// Which passcode it is.
    public let mark: PasscodeMark
    /// The attempts at it.
    public let attempts: Attempts

    /// The record of a passcode and its attempts.
    public init(mark: PasscodeMark, attempts: Attempts) {
        self.mark = mark
        self.attempts = attempts
    }

    private static let title = "touchtone-lock 1"

    /// Reads a record; nil where the text is none.
    public init?(text: String) {
        guard var record = RecordText(text, title: Self.title), let id = record.next("id"),
            let holder = record.next("holder").flatMap(PasscodeHolder.init),
            let digits = record.nextNumber("digits"),
            let mark = PasscodeMark(id: id, holder: holder, digits: digits),
            let failures = record.nextNumber("failures")
        else { return nil }
        var wait: Attempts.Wait?
        if !record.isAtEnd {
            guard let left = record.nextNumber("wait"), let time = record.nextNumber("at"),
                let boot = record.next("boot"), record.isAtEnd
            else { return nil }
            let moment = BootMoment(boot: boot, time: .milliseconds(time))
            wait = Attempts.Wait(left: .milliseconds(left), moment: moment)
        }
        guard let attempts = Attempts(failures: failures, wait: wait) else { return nil }
        self.init(mark: mark, attempts: attempts)
    }

    /// The record as it is written; times are in milliseconds.
    public var text: String {
        var fields = [
            ("id", mark.id), ("holder", mark.holder.rawValue), ("digits", String(mark.digits)),
            ("failures", String(attempts.failures)),
        ]
        if let wait = attempts.wait {
            // Rounded up: what is left is not shortened by being written.
            fields += [
                ("wait", String(wait.left.milliseconds(rounded: .up))),
                ("at", String(wait.moment.time.milliseconds(rounded: .down))), ("boot", wait.moment.boot),
            ]
        }
        return RecordText.text(title: Self.title, fields)
    }
}

/// The hash of a passcode as it is kept.
public struct HashRecord: Hashable, Sendable {
    /// Which passcode it is of: the id of the mark.
    public let id: String
    /// How many digits that has.
    public let digits: Int
    /// The hash as libsodium's `crypto_pwhash_str` writes it: `$argon2id$v=19$m=…,t=…,p=1$salt$hash`.
    public let hash: String

    /// The longest hash, in characters: libsodium's `crypto_pwhash_STRBYTES`, less the NUL.
    public static let maximumHashLength = 127

    fileprivate static let title = "touchtone-passcode 1"

    /// A hash with what it is of; nil where it can be none.
    public init?(id: String, digits: Int, hash: String) {
        guard PasscodeMark.isID(id), Passcode.lengths.contains(digits), hash.hasPrefix("$argon2id$"),
            hash.utf8.count <= Self.maximumHashLength, hash.utf8.allSatisfy({ (33...126).contains($0) })
        else { return nil }
        self.id = id
        self.digits = digits
        self.hash = hash
    }

    /// Reads a record; nil where the text is none.
    public init?(text: String) {
        guard var record = RecordText(text, title: Self.title), let id = record.next("id"),
            let digits = record.nextNumber("digits"), let hash = record.next("hash"), record.isAtEnd
        else { return nil }
        self.init(id: id, digits: digits, hash: hash)
    }

    /// The record as it is written.
    public var text: String {
        RecordText.text(title: Self.title, [("id", id), ("digits", String(digits)), ("hash", hash)])
    }
}

/// What is in the place of the hash where a keyring has that: it says that a passcode is set, and which.
extension PasscodeMark {
    /// Reads the note; nil where the text is none.
    public init?(note text: String) {
        guard var record = RecordText(text, title: HashRecord.title), let id = record.next("id"),
            let digits = record.nextNumber("digits"),
            record.next("holder") == PasscodeHolder.keyring.rawValue,
            record.isAtEnd
        else { return nil }
        self.init(id: id, holder: .keyring, digits: digits)
    }

    /// The note as it is written; nil where the hash itself is there.
    public var note: String? {
        guard holder == .keyring else { return nil }
        let fields = [("id", id), ("digits", String(digits)), ("holder", holder.rawValue)]
        return RecordText.text(title: HashRecord.title, fields)
    }
}

extension Duration {
    /// The duration in milliseconds.
    func milliseconds(rounded rule: FloatingPointRoundingRule) -> Int64 {
        let (seconds, attoseconds) = components
        let rest = attoseconds % 1_000_000_000_000_000 > 0 && rule == .up ? 1 : 0
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000 + Int64(rest)
    }
}
