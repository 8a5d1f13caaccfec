// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TouchtoneCore

/// The state of a call on a phone, by its name in the service.
enum TelephonyState: String, Hashable, Sendable, CaseIterable {
    case active, held, dialing, alerting, incoming, waiting, disconnected

    /// Whether the call was answered.
    var isAnswered: Bool { self == .active || self == .held }

    /// Whether the call waits for an answer.
    var isRinging: Bool { self == .incoming || self == .waiting }
}

/// A call as the service describes it.
struct TelephonyCall: Hashable, Sendable {
    private(set) var state: TelephonyState
    private(set) var number = DialledNumber()
    private(set) var name = ""
    private(set) var isMultiparty = false

    /// The greatest number of Unicode scalars of a name, which the network or a stranger chooses.
    static let maximumName = 100

    init(_ state: TelephonyState, number: String = "", name: String = "", isMultiparty: Bool = false) {
        self.state = state
        (self.number, self.name) = (Self.number(number), Self.name(name))
        self.isMultiparty = isMultiparty
    }

    /// Reads all properties of a call; nil if its state is unknown.
    init?(_ properties: [String: Variant]) {
        guard let state = properties["State"]?.string.flatMap(TelephonyState.init) else { return nil }
        self.init(state)
        update(properties)
    }

    /// Takes changed properties over; what is unknown or has another type changes nothing.
    mutating func update(_ properties: [String: Variant]) {
        if let state = properties["State"]?.string.flatMap(TelephonyState.init) { self.state = state }
        if let text = properties["LineIdentification"]?.string { number = Self.number(text) }
        if let text = properties["Name"]?.string { name = Self.name(text) }
        if let flag = properties["Multiparty"]?.bool { isMultiparty = flag }
    }

    /// The far end, for the phone’s display.
    var remote: RemoteParty { RemoteParty(number, displayName: name) }

    /// Returns the number in a text, without keys that would follow the answer; empty if it is none, or withheld.
    private static func number(_ text: String) -> DialledNumber {
        guard text.utf8.count <= DialledNumber.capacity else { return DialledNumber() }
        let dialled = text.prefix { $0 != "," && $0 != ";" }.filter { !" -()".contains($0) }
        return DialledNumber(dialled) ?? DialledNumber()
    }

    private static func name(_ text: String) -> String { PlainText.line(text, maximum: maximumName) }
}
