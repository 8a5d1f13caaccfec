// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor
struct StoreHealthTests {
    private let health = StoreHealth()

    /// Performs changes, and returns the reported ones.
    private func changes(_ body: () -> Void) -> [StoreHealth.Change] {
        var changes: [StoreHealth.Change] = []
        let owner = MemoryContactStore()
        health.observe(by: owner) { changes.append($0) }
        withExtendedLifetime(owner, body)
        return changes
    }

    @Test(arguments: [StoreError.full, .failed("no")])
    func errorConcernsAllKindsUntilChangeSucceeds(_ error: StoreError) {
        #expect(changes { for _ in 0..<3 { health.record(error, of: .calls) } } == [.error])
        for kind in StoredDataKind.allCases { #expect(health.error(of: kind) == error) }
        #expect(changes { for _ in 0..<3 { health.recordSuccess() } } == [.error])
        for kind in StoredDataKind.allCases { #expect(health.error(of: kind) == nil) }
    }

    @Test func dismissedErrorReturnsWhenSameKindFailsAgain() {
        health.record(.full, of: .calls)
        #expect(changes { for _ in 0..<2 { health.dismiss(.calls) } } == [.error])
        #expect(health.error(of: .calls) == nil && health.error(of: .contacts) == .full)
        #expect(changes { health.record(.full, of: .contacts) } == [])
        #expect(health.error(of: .calls) == nil)
        #expect(changes { health.record(.full, of: .calls) } == [.error])
        #expect(health.error(of: .calls) == .full)
        health.dismiss(.calls)
        health.record(.newer, of: .messages)
        #expect(health.error(of: .calls) == .newer, "a different error")
    }

    @Test func damageIsShownUntilDismissed() {
        let damage = StoreError.damaged(setAside: "a")
        #expect(changes { health.record(damage, of: .messages) } == [.damage, .error])
        #expect(changes { health.recordSuccess() } == [])
        #expect(health.error(of: .calls) == damage)
        health.dismiss(.messages)
        #expect(health.error(of: .messages) == nil && health.error(of: .calls) == damage)
    }

    @Test func newerFileStaysUnusable() {
        health.record(.newer, of: .contacts)
        #expect(changes { health.recordSuccess() } == [])
        #expect(health.error(of: .messages) == .newer)
    }

    @Test func damageOfMessagesResetsCallsAndContacts() async {
        let damage = StoreError.damaged(setAside: "a")
        let calls = await CallHistoryFixture.open(3)
        // All stores lose their data, but the one of the messages finds out first.
        calls.store.trouble = damage
        _ = try? await calls.store.newMissedCalls()
        #expect(calls.ids.count == 3)
        calls.history.health.record(damage, of: .messages)
        await calls.settle()
        #expect(calls.ids.isEmpty)
        let contacts = await ContactBookFixture([ContactBookFixture.card("A")])
        contacts.store.trouble = damage
        _ = try? await contacts.store.contacts()
        #expect(contacts.names == ["A"])
        contacts.book.health.record(damage, of: .messages)
        await contacts.settle()
        #expect(contacts.names.isEmpty && contacts.book.isLoaded)
    }
}
