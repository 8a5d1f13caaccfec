// SPDX-License-Identifier: GPL-3.0-or-later

/// A part of a text that is being typed (XEP-0301).
struct RealTimeText: Hashable, Sendable {
    enum Event: String, Sendable {
        /// The text begins.
        case new
        /// The text is repeated from its beginning.
        case reset
        /// The text is changed.
        case edit
        /// The sender wants real-time text.
        case start = "init"
        /// The sender wants no more of it.
        case cancel
    }

    static let namespace = "urn:xmpp:rtt:0"
    /// The greatest number of actions in an element; none has more in less than a second.
    static let maximumActions = 500
    static let sequences = 0...Int(Int32.max)

    let event: Event
    /// The number of the element, which is one greater than that of the last one.
    let sequence: Int
    var actions: [RealTimeAction] = []

    init(_ event: Event, sequence: Int = 0, _ actions: [RealTimeAction] = []) {
        (self.event, self.sequence, self.actions) = (event, sequence, actions)
    }

    /// Returns nil if an element is none that a program of today sends, or corrects a message that was sent before.
    init?(_ element: XMLElement) {
        guard element.isNamed("rtt", Self.namespace), element["id"] == nil,
            let event = element["event"].map({ Event(rawValue: $0) }) ?? .edit
        else { return nil }
        guard event != .start, event != .cancel else {
            self.init(event)
            return
        }
        let children = element.children
        guard children.count <= Self.maximumActions, let sequence = element["seq"].flatMap({ Int($0) }),
            Self.sequences.contains(sequence)
        else { return nil }
        self.init(event, sequence: sequence, children.compactMap { RealTimeAction($0) })
    }

    var element: XMLElement {
        let isText = event != .start && event != .cancel
        return XMLElement(
            "rtt", Self.namespace,
            [
                "event": event == .edit ? nil : event.rawValue,
                "seq": isText ? String(sequence) : nil,
            ], actions.map(\.element))
    }

    /// Returns the message to a device: nobody else gets it, and nobody stores it.
    func message(to device: JID) -> Message {
        Message(
            to: device,
            extensions: [element, ProcessingHints.noStore, ProcessingHints.noCopy, Carbons.exclusion])
    }
}

/// An action of real-time text.
///
/// Positions and lengths count Unicode code points.
enum RealTimeAction: Hashable, Sendable {
    /// Inserts a text at a position; nil is the end.
    case insert(String, at: Int?)
    /// Erases code points before a position; nil is the end.
    case erase(Int, before: Int?)
    /// Waits a time between two actions.
    case wait(Duration)

    /// Returns nil for an unknown action, or one whose numbers are none.
    init?(_ element: XMLElement) {
        guard element.namespace == RealTimeText.namespace, let position = Self.number(element["p"]) else {
            return nil
        }
        switch element.name {
        case "t": self = .insert(element.text, at: position)
        case "e":
            guard let count = Self.number(element["n"]) else { return nil }
            self = .erase(count ?? 1, before: position)
        case "w":
            guard let time = Self.number(element["n"]) else { return nil }
            self = .wait(.milliseconds(min(time ?? 0, 10_000)))
        default: return nil
        }
    }

    /// Returns a number that is at least zero, however small or large the written one is; nil within for a missing one.
    private static func number(_ text: String?) -> Int?? {
        guard let text else { return .some(nil) }
        if let number = Int(text) { return max(0, number) }
        let digits = text.drop { $0 == "-" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return text.hasPrefix("-") ? 0 : .max
    }

    var element: XMLElement {
        switch self {
        case .insert(let text, let position):
            XMLElement("t", RealTimeText.namespace, ["p": position.map { String($0) }], text: text)
        case .erase(let count, let position):
            XMLElement(
                "e", RealTimeText.namespace,
                ["p": position.map { String($0) }, "n": count == 1 ? nil : String(count)])
        case .wait(let time):
            XMLElement("w", RealTimeText.namespace, ["n": String(Int(time / .milliseconds(1)))])
        }
    }
}
