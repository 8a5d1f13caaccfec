// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneStore

/// The number of calls.
let callCount = 100_000
/// The number of contacts.
let peopleCount = 10_000

/// Returns the number of a caller: every caller calls repeatedly, and some are contacts.
func number(_ caller: Int) -> DialledNumber {
    let digits = "555\(String(1_000_000 + caller * 7_919 % 9_000_000))"
    if case .number(let number) = DialledNumber.read(digits) { return number }
    return DialledNumber()
}

/// Returns a contact.
func person(_ caller: Int) -> NewContact {
    let names = [
        "Grace", "Edsger", "Ada", "Barbara", "Donald", "Radia", "Tony", "Frances", "Niklaus", "Lynn",
    ]
    let name =
        "\(names[caller % names.count]) \(["Berg", "Stein", "Holm", "Lund"][caller / 10 % 4]) \(caller)"
    return NewContact(ContactCard(name: name, methods: [ContactMethod(.number, number(caller).text)]))
}

/// Fills the store with the calls and the contacts.
@MainActor
enum CallsFilling {
    static func run() {
        let store = SQLiteStore()
        var left = callCount
        for count in 0..<callCount {
            let isIncoming = count % 3 == 0
            let call = PastCall(
                direction: isIncoming ? .incoming : .outgoing,
                remote: RemoteParty(number(count * 31 % 20_000)),
                line: "tel",
                began: ChatTime(milliseconds: 1_100_000_000_000 + Int64(count) * 2_000_000),
                endReason: count % 5 == 0 ? .noAnswer : .farEnd, seconds: count % 5 == 0 ? nil : count % 700)
            store.add(call) { result in
                if case .failure(let error) = result { print("not kept: \(error)") }
                left -= 1
            }
            if count % 1000 == 0 { waitUntil { left > callCount - count - 5_000 || count < 5_000 } }
        }
        waitUntil { left == 0 }
        var isDone = false
        store.markSeen { _ in isDone = true }
        waitUntil { isDone }
        isDone = false
        Task {
            _ = try? await store.add((0..<peopleCount).map(person))
            isDone = true
        }
        waitUntil { isDone }
        isDone = false
        store.flush { isDone = true }
        waitUntil { isDone }
    }
}
