// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneCore
import TouchtoneStore

/// Adds, changes and deletes calls and contacts, and prints each operation and its name once the store confirms it.
///
/// No two runs share a name.
@MainActor
final class KeepingDirectory {
    private let store: SQLiteStore
    /// The system reuses process identifiers.
    private let run = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private var count = 0

    init(_ store: SQLiteStore) { self.store = store }

    func start() {
        keepCall()
        Task { await keepContacts() }
    }

    private func keepCall() {
        count += 1
        let (name, number) = ("\(run)-\(count)", count)
        let call = PastCall(
            direction: number % 2 == 0 ? .incoming : .outgoing,
            remote: RemoteParty(
                DialledNumber("\(number)") ?? DialledNumber(), address: name, displayName: name),
            line: "practice", began: ChatTime(milliseconds: Int64(number)),
            endReason: .noAnswer, seconds: nil)
        store.add(call) { [self] result in
            let entry = Self.succeed(result)
            Keeping.say("call \(name)")
            guard number % 4 == 0 else { return keepCall() }
            store.delete(.entries([entry.id])) { [self] result in
                _ = Self.succeed(result)
                Keeping.say("deleted \(name)")
                if number % 8 == 0 { store.forget([entry.id]) { Self.succeed($0) } }
                keepCall()
            }
        }
    }

    private func keepContacts() async {
        var number = 0
        do throws(StoreError) {
            while true {
                number += 1
                let name = "\(run)-\(number)"
                var card = ContactCard(
                    name: name, methods: [ContactMethod(.number, name), ContactMethod(.sip, name)],
                    note: "new")
                // Larger than a page.
                let photo = Array(repeating: Array(name.utf8), count: 1000).flatMap { $0 }
                let kept = try await store.add([NewContact(card, photo: photo)])
                Keeping.say("contact \(name)")
                guard case .own(let id)? = kept.first?.id else { exit(1) }
                if number % 2 == 0 {
                    card.note = "changed"
                    try await store.change(id, to: card, photo: .removed)
                    Keeping.say("changed \(name)")
                }
                if number % 3 == 0 {
                    _ = try await store.deleteContacts([id])
                    Keeping.say("gone \(name)")
                    if number % 6 == 0 { try await store.purgeContacts([id]) }
                }
            }
        } catch {
            exit(1)
        }
    }

    @discardableResult
    private static func succeed<Value>(_ result: Result<Value, StoreError>) -> Value {
        guard case .success(let value) = result else { exit(1) }
        return value
    }
}
