// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// What calls are called: people by their names, and what a call is at in words.
@MainActor
struct CallWords {
    /// The name that a number is known by; nil where nobody knows it.
    let name: @MainActor (DialledNumber) -> String?
    /// A number as the display writes it.
    let number: @MainActor (DialledNumber) -> String

    init(
        number: @escaping @MainActor (DialledNumber) -> String,
        name: @escaping @MainActor (DialledNumber) -> String?
    ) {
        (self.number, self.name) = (number, name)
    }

    /// The words of a phone, with the names of a directory's contacts.
    init(_ phone: Phone, _ directory: DirectoryParts?) {
        self.init(number: { [weak phone] in phone?.text(of: $0) ?? $0.text }) {
            directory?.contacts.name(for: $0)
        }
    }

    /// The name, else the number.
    func who(_ number: DialledNumber) -> String {
        if let name = name(number), !name.isEmpty { return name }
        return numberOrNone(number)
    }

    /// The number, or that there is none.
    func numberOrNone(_ number: DialledNumber) -> String {
        number.isEmpty ? "Unknown number" : self.number(number)
    }

    /// What a call is at, in lower case: “ringing”, “connected, 0:42”; a contract, so it is never translated here.
    static func state(of call: OngoingCall, _ calls: CallKeeper) -> String {
        switch call.phase {
        case .idle, .ended: ""
        case .dialling: "dialling"
        case .ringing, .earlyMedia: "ringing"
        case .incoming: "incoming"
        case .connected: "connected, \(time(of: call, calls))"
        case .joined: "joined, \(time(of: call, calls))"
        case .held: "held"
        case .refused: refusal(call.progress.end)
        }
    }

    /// What the phone's calls are at, as far as the user is concerned; nil where there is none to do anything with.
    static func state(of calls: CallKeeper) -> String? {
        if let current = calls.current, current.features.contains(.conversation),
            current.phase != .refused || calls.incoming == nil
        {
            return state(of: current, calls)
        }
        return calls.incoming.map { state(of: $0, calls) }
    }

    private static func time(of call: OngoingCall, _ calls: CallKeeper) -> String {
        PhoneStatus.time(calls.seconds(of: call) ?? 0)
    }

    private static func refusal(_ end: CallEnd?) -> String {
        switch end {
        case .busy: "busy"
        case .declined: "declined"
        case .noSuchNumber: "no such number"
        case .network: "network busy"
        default: "failed"
        }
    }
}
