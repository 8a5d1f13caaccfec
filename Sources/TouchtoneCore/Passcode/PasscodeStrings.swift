// SPDX-License-Identifier: GPL-3.0-or-later

extension PasscodeFault {
    /// What is the matter, in a sentence.
    public var text: String {
        switch self {
        case .missing: localized("The record of the passcode is missing.")
        case .damaged: localized("The record of the passcode is damaged.")
        case .another: localized("The record of the passcode belongs to another one.")
        case .unsafe: localized("The record of the passcode could have been changed by others.")
        case .unread: localized("The record of the passcode could not be read. Quit and start again.")
        }
    }
}

extension PasscodeError {
    /// What is the matter and what to do, in a sentence or two.
    public var text: String {
        switch self {
        case .wrong(let left):
            localizedPlural(
                "That is not the passcode. {count} attempt is left.",
                "That is not the passcode. {count} attempts are left.", left)
        case .lockedOut:
            localizedPlural(
                "{count} failed attempt. The phone is locked.",
                "{count} failed attempts. The phone is locked.", Attempts.round)
        case .notSet: localized("No passcode is set.")
        case .alreadySet: localized("A passcode is set already.")
        case .busy: localized("The last passcode is still being checked.")
        case .otherLength(let digits):
            localizedPlural("The passcode has {count} digit.", "The passcode has {count} digits.", digits)
        case .unusable(let fault): fault.text
        case .noKeyring(let reason):
            Self.isEmpty(reason)
                ? localized("The keyring with the passcode does not answer.")
                : localized(
                    "The keyring with the passcode does not answer: {reason}", ["reason": Self.shown(reason)])
        case .keyringRefused(let reason):
            Self.isEmpty(reason)
                ? localized("The keyring was not opened.")
                : localized("The keyring was not opened: {reason}", ["reason": Self.shown(reason)])
        case .notRead(let reason):
            Self.isEmpty(reason)
                ? localized("The record of the passcode could not be read.")
                : localized(
                    "The record of the passcode could not be read: {reason}", ["reason": Self.shown(reason)])
        case .notSaved(let reason):
            Self.isEmpty(reason)
                ? localized("The disk did not take it.")
                : localized("The disk did not take it: {reason}", ["reason": Self.shown(reason)])
        case .noMemory:
            localized("There is not enough memory to check a passcode. Close a program and try again.")
        }
    }

    /// It is shown as it is: a service may say anything, at any length.
    private static func shown(_ reason: String) -> String {
        String(reason.prefix(120).filter { !$0.isNewline })
    }

    private static func isEmpty(_ reason: String) -> Bool { shown(reason).isEmpty }
}

/// A time that is left, in words.
public enum Countdown {
    /// The time as minutes and seconds: `9:59`.
    public static func text(seconds: Int) -> String {
        let rest = String(seconds % 60)
        return "\(seconds / 60):\(rest.count < 2 ? "0" : "")\(rest)"
    }
}
