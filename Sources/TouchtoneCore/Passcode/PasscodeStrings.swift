// SPDX-License-Identifier: GPL-3.0-or-later

extension PasscodeFault {
    /// The fault in a sentence for the user.
    public var text: String {
        switch self {
        case .missing: localized("The saved passcode is missing.")
        case .damaged: localized("The saved passcode is damaged.")
        case .another: localized("The saved passcode is not the one that was set.")
        case .unsafe: localized("The saved passcode may have been changed by someone else.")
        case .unread: localized("The saved passcode could not be read. Quit Touchtone and start it again.")
        }
    }
}

extension PasscodeError {
    /// The error and its remedy in a sentence or two for the user.
    public var text: String {
        switch self {
        case .wrong(let left):
            localizedPlural(
                "Wrong passcode. {count} attempt left.",
                "Wrong passcode. {count} attempts left.", left)
        case .lockedOut:
            localizedPlural(
                "{count} failed attempt. The phone is locked.",
                "{count} failed attempts. The phone is locked.", Attempts.perLockout)
        case .notSet: localized("No passcode is set.")
        case .alreadySet: localized("A passcode is already set.")
        case .busy: localized("The last passcode is still being checked.")
        case .otherLength(let digits):
            localizedPlural("The passcode has {count} digit.", "The passcode has {count} digits.", digits)
        case .unusable(let fault): fault.text
        case .noKeyring(let reason):
            Self.isEmpty(reason)
                ? localized("The keyring that has the passcode is not responding.")
                : localized(
                    "The keyring that has the passcode is not responding: {reason}",
                    ["reason": Self.shown(reason)])
        case .keyringRefused(let reason):
            Self.isEmpty(reason)
                ? localized("The keyring was not unlocked.")
                : localized("The keyring was not unlocked: {reason}", ["reason": Self.shown(reason)])
        case .notRead(let reason):
            Self.isEmpty(reason)
                ? localized("The saved passcode could not be read.")
                : localized(
                    "The saved passcode could not be read: {reason}", ["reason": Self.shown(reason)])
        case .notSaved(let reason):
            Self.isEmpty(reason)
                ? localized("The change could not be saved.")
                : localized("The change could not be saved: {reason}", ["reason": Self.shown(reason)])
        case .noMemory:
            localized("There is not enough memory to check the passcode. Close some apps and try again.")
        }
    }

    /// Returns the beginning of a reason on one line: a service may send any text.
    private static func shown(_ reason: String) -> String {
        PlainText.line(reason, maximum: 120)
    }

    private static func isEmpty(_ reason: String) -> Bool { shown(reason).isEmpty }
}
