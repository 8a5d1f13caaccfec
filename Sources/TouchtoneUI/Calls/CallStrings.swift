// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// User-visible texts about calls: the names of far ends, and the states of calls.
@MainActor
struct CallStrings {
    private let contactName: @MainActor (RemoteParty) -> String?
    let number: @MainActor (DialledNumber) -> String

    /// `number` formats a number as on the display; `contactName` is nil for a far end without a contact.
    init(
        number: @escaping @MainActor (DialledNumber) -> String,
        contactName: @escaping @MainActor (RemoteParty) -> String?
    ) {
        (self.number, self.contactName) = (number, contactName)
    }

    init(_ phone: Phone, _ directory: DirectoryDependencies) {
        self.init(number: { [weak phone] in phone?.text(of: $0) ?? $0.text }) {
            directory.contacts.name(for: $0)
        }
    }

    /// Returns the contact's name, or else the name received with the call; nil if there is neither.
    func name(of remote: RemoteParty) -> String? {
        if let name = contactName(remote) { return name }
        let name = PlainText.line(remote.displayName, maximum: 100)
        return name.contains { !$0.isWhitespace } ? name : nil
    }

    /// Returns the name, or else the text of `numberOrNone(_:)`.
    func who(_ remote: RemoteParty) -> String {
        if let name = name(of: remote), !name.isEmpty { return name }
        return numberOrNone(remote)
    }

    /// Returns the number, or else the address, or else “Unknown number”.
    func numberOrNone(_ remote: RemoteParty) -> String {
        guard remote.number.isEmpty else { return number(remote.number) }
        let address = PlainText.line(remote.jabberAddress?.text ?? remote.address, maximum: 100)
        return address.isEmpty ? localized("Unknown number") : address
    }

    /// Returns the text for a call's state, in lower case: “ringing”, “connected, 0:42”.
    ///
    /// The English forms are a contract with assistive tools and tests.
    static func state(of call: Call, _ calls: CallManager) -> String {
        switch call.state {
        case .idle, .ended: ""
        case .dialling: localizedIn("state of a call", "dialling")
        case .ringing, .earlyMedia: localizedIn("state of a call", "ringing")
        case .incoming:
            call.text.standing == .offered
                ? localizedIn("state of a call", "incoming, with text")
                : localizedIn("state of a call", "incoming")
        case .machine:
            call.isMessageBegun
                ? localizedIn("state of a call", "leaves a message")
                : localizedIn("state of a call", "hears the greeting")
        case .connected:
            call.isHeldByFarEnd
                ? localizedIn(
                    "state of a call", "held by the other party, {time}", ["time": time(of: call, calls)])
                : localizedIn("state of a call", "connected, {time}", ["time": time(of: call, calls)])
        case .joined:
            localizedIn("state of a call", "joined, {time}", ["time": time(of: call, calls)])
        case .held:
            switch call.transfer {
            case nil: localizedIn("state of a call", "held")
            case .pending: localizedIn("state of a call", "transferring")
            case .failed: localizedIn("state of a call", "held, not transferred")
            }
        case .refused: refusal(call.machine.endReason)
        }
    }

    /// Returns the state of the phone's calls for the user; nil if there is no call to act on.
    static func state(of calls: CallManager) -> String? {
        if let current = calls.current, current.features.contains(.conversation),
            current.state != .refused || calls.answerable == nil
        {
            return state(of: current, calls)
        }
        return calls.answerable.map { state(of: $0, calls) }
    }

    /// Returns why the calls on the lines that are in use can never be transferred; nil if they can.
    static func transferObstacle(of calls: CallManager) -> String? {
        let both = [calls.current, calls.other].compactMap { $0 }
        if both.contains(where: { !$0.features.contains(.transfer) }) {
            return localized("Calls on this line can’t be transferred.")
        }
        guard Set(both.map(\.line)).count > 1 else { return nil }
        return localized("Only calls on the same line can be transferred to each other.")
    }

    private static func time(of call: Call, _ calls: CallManager) -> String {
        DurationText.text(seconds: calls.seconds(of: call) ?? 0)
    }

    private static func refusal(_ end: CallEndReason?) -> String {
        switch end {
        case .busy: localizedIn("state of a call", "busy")
        case .declined: localizedIn("state of a call", "declined")
        case .noSuchNumber: localizedIn("state of a call", "no such number")
        case .notAvailable: localizedIn("state of a call", "not available")
        case .network: localizedIn("state of a call", "network busy")
        default: localizedIn("state of a call", "failed")
        }
    }
}

extension CallManager {
    /// Whether there is a live call here: a number that was passed to another program is none.
    var hasConversation: Bool {
        calls.contains { $0.state.isLive && $0.features.contains(.conversation) }
    }
}
