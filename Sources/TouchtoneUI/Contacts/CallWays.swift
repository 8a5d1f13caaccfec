// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The ways to call a contact, as a menu offers them: its numbers, and the addresses that a line can call.
@MainActor
struct CallWays {
    struct Way: Equatable {
        let callee: Callee
        /// The text of the menu’s item.
        let label: String
        /// Whether the line can make calls now; a line that is chosen later is not known.
        let isPossible: Bool
    }

    /// The ways in the order of the card.
    let all: [Way]

    /// The greatest number of ways in a menu; more could make it taller than the screen.
    static let maximum = 8

    init(of card: ContactCard, on phone: Phone) {
        all = card.methods.lazy.compactMap { Self.way(of: $0, on: phone) }.prefix(Self.maximum).map { $0 }
    }

    private static func way(of method: ContactMethod, on phone: Phone) -> Way? {
        if let number = method.number {
            let shown = phone.text(of: number)
            return Way(
                callee: .number(number), label: localized("Call {number}", ["number": shown]),
                isPossible: true)
        }
        guard let address = method.address(for: phone), let line = phone.line(for: address) else {
            return nil
        }
        // An address alone does not tell a SIP address from a Jabber address.
        return Way(
            callee: .address(address),
            label: localized(
                "Call {address} ({kind})",
                [
                    "address": PlainText.line(address.shown, maximum: 60),
                    "kind": ContactStrings.label(method),
                ]),
            isPossible: line.state.refusal == nil)
    }

    /// Whether the contact can be called now.
    var isPossible: Bool { all.contains { $0.isPossible } }

    /// Returns the ways with that of a call first, if it is among them.
    func beginning(with call: PastCall?) -> [Way] {
        guard let call, let index = all.firstIndex(where: { $0.callee.isFarEnd(of: call) }) else {
            return all
        }
        var ways = all
        ways.insert(ways.remove(at: index), at: 0)
        return ways
    }
}

extension CallWays.Way {
    /// Returns the item of a menu that calls this way.
    @MainActor
    func item(_ call: @escaping @MainActor (Callee) -> Void) -> ContextMenu.Item {
        ContextMenu.Item(label, isEnabled: isPossible) { call(callee) }
    }
}

extension Callee {
    /// Whether a call leads to the same number or address, whichever account makes it.
    func isSame(as other: Callee) -> Bool {
        switch (self, other) {
        case (.number(let one), .number(let other)): NumberKey.isSame(one, other)
        case (.address(let one), .address(let other)): one.text == other.text
        default: false
        }
    }

    /// Whether a call was one with this number or address.
    func isFarEnd(of call: PastCall) -> Bool {
        switch self {
        case .number(let number): NumberKey.isSame(call.remote.number, number)
        case .address(let address):
            call.remote.number.isEmpty && CallAddress(call.remote.address)?.text == address.text
        }
    }
}
