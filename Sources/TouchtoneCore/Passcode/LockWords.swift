// SPDX-License-Identifier: GPL-3.0-or-later

extension PasscodeFault {
    /// What is the matter, in a sentence.
    public var text: String {
        switch self {
        case .missing: "The record of the passcode is missing."
        case .damaged: "The record of the passcode is damaged."
        case .another: "The record of the passcode belongs to another one."
        case .unsafe: "The record of the passcode could have been changed by others."
        case .unread: "The record of the passcode could not be read. Quit and start again."
        }
    }
}

extension PasscodeError {
    /// What is the matter and what to do, in a sentence or two.
    public var text: String {
        switch self {
        case .wrong(1): "That is not the passcode. 1 attempt is left."
        case .wrong(let left): "That is not the passcode. \(left) attempts are left."
        case .lockedOut: "\(Attempts.round) failed attempts. The phone is locked."
        case .notSet: "No passcode is set."
        case .alreadySet: "A passcode is set already."
        case .busy: "The last passcode is still being checked."
        case .otherLength(let digits): "The passcode has \(digits) digits."
        case .unusable(let fault): fault.text
        case .noKeyring(let reason): Self.text("The keyring with the passcode does not answer", reason)
        case .keyringRefused(let reason): Self.text("The keyring was not opened", reason)
        case .notRead(let reason): Self.text("The record of the passcode could not be read", reason)
        case .notSaved(let reason): Self.text("The disk did not take it", reason)
        case .noMemory: "There is not enough memory to check a passcode. Close a program and try again."
        }
    }

    private static func text(_ what: String, _ reason: String) -> String {
        // It is shown as it is: a service may say anything, at any length.
        let shown = String(reason.prefix(120).filter { !$0.isNewline })
        return shown.isEmpty ? "\(what)." : "\(what): \(shown)"
    }
}

/// A time that is left, in words.
public enum Countdown {
    /// The time as minutes and seconds: `9:59`.
    public static func text(seconds: Int) -> String {
        let rest = String(seconds % 60)
        return "\(seconds / 60):\(rest.count < 2 ? "0" : "")\(rest)"
    }
}
