// SPDX-License-Identifier: GPL-3.0-or-later

/// The lock's saved state; if there is one, a passcode is set, even if all else is missing.
public struct LockRecord: Hashable, Sendable {
    public let mark: PasscodeMark
    public let attempts: Attempts

    public init(mark: PasscodeMark, attempts: Attempts) {
        self.mark = mark
        self.attempts = attempts
    }

    private static let title = "touchtone-lock 1"

    /// Parses a record; nil if the text is invalid.
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

    /// The text of the record; times are in milliseconds.
    public var text: String {
        var fields = [
            ("id", mark.id), ("holder", mark.holder.rawValue), ("digits", String(mark.digits)),
            ("failures", String(attempts.failures)),
        ]
        if let wait = attempts.wait {
            // The time is rounded up, so that saving it does not shorten the wait.
            fields += [
                ("wait", String(wait.left.milliseconds(rounded: .up))),
                ("at", String(wait.moment.time.milliseconds(rounded: .down))), ("boot", wait.moment.boot),
            ]
        }
        return RecordText.text(title: Self.title, fields)
    }
}

public struct HashRecord: Hashable, Sendable {
    /// The id of the passcode's mark.
    public let id: String
    /// The number of digits of the passcode.
    public let digits: Int
    /// The hash in the format of libsodium's `crypto_pwhash_str`: `$argon2id$v=19$m=…,t=…,p=1$salt$hash`.
    public let hash: String

    /// The greatest length of a hash, in characters: libsodium's `crypto_pwhash_STRBYTES` without the NUL.
    public static let maximumHashLength = 127

    fileprivate static let title = "touchtone-passcode 1"

    /// Creates a record; nil if a value is invalid.
    public init?(id: String, digits: Int, hash: String) {
        guard PasscodeMark.isID(id), Passcode.lengths.contains(digits), hash.hasPrefix("$argon2id$"),
            hash.utf8.count <= Self.maximumHashLength, hash.utf8.allSatisfy({ (33...126).contains($0) })
        else { return nil }
        self.id = id
        self.digits = digits
        self.hash = hash
    }

    /// Parses a record; nil if the text is invalid.
    public init?(text: String) {
        guard var record = RecordText(text, title: Self.title), let id = record.next("id"),
            let digits = record.nextNumber("digits"), let hash = record.next("hash"), record.isAtEnd
        else { return nil }
        self.init(id: id, digits: digits, hash: hash)
    }

    public var text: String {
        RecordText.text(title: Self.title, [("id", id), ("digits", String(digits)), ("hash", hash)])
    }
}

/// The note that replaces the hash file if a keyring holds the hash: it identifies the passcode that is set.
extension PasscodeMark {
    /// Parses the note; nil if the text is invalid.
    public init?(note text: String) {
        guard var record = RecordText(text, title: HashRecord.title), let id = record.next("id"),
            let digits = record.nextNumber("digits"),
            record.next("holder") == PasscodeHolder.keyring.rawValue,
            record.isAtEnd
        else { return nil }
        self.init(id: id, holder: .keyring, digits: digits)
    }

    /// The text of the note; nil if a file holds the hash.
    public var note: String? {
        guard holder == .keyring else { return nil }
        let fields = [("id", id), ("digits", String(digits)), ("holder", holder.rawValue)]
        return RecordText.text(title: HashRecord.title, fields)
    }
}

extension Duration {
    func milliseconds(rounded rule: FloatingPointRoundingRule) -> Int64 {
        let (seconds, attoseconds) = components
        let rest = attoseconds % 1_000_000_000_000_000 > 0 && rule == .up ? 1 : 0
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000 + Int64(rest)
    }
}
