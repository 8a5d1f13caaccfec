// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import StoreTestSupport
import TouchtoneCore
import TouchtoneStore

/// Measures the store with a generated conversation of 100,000 messages.
@MainActor
final class Measuring {
    private var store: SQLiteStore
    private let keys: String?
    private let report = Report()
    private let grace = ChatAddress("grace@example.org")
    private var count: Int64 = 0

    /// - Parameter keys: The folder of the key of an encrypted file; nil leaves the file plain.
    init(keys: String? = nil) {
        self.keys = keys
        store = Self.store(keys)
    }

    private static func store(_ keys: String?) -> SQLiteStore {
        keys.map { SQLiteStore(vault: FolderVault($0)) } ?? SQLiteStore()
    }

    func run() async {
        report.memory("before")
        await report.measure("open an empty store") { _ = try? await self.store.summary() }
        if keys != nil {
            await flush()
            await report.measure("encrypt it") { await self.store.protection.set(isOn: true) }
            guard store.protection.state == .on else {
                print("failed: \(String(describing: store.protection.failure))")
                exit(1)
            }
        }
        await report.measure("burst of 1,000, empty store") { await self.burst() }
        await report.measure("catch up with 100,000") {
            for _ in 0..<200 {
                self.apply([self.piece(of: 500)])
                await self.flush()
            }
        }
        report.memory("after")
        await store.close()
        store = Self.store(keys)
        await report.measure("open, and the summary") { _ = try? await self.store.summary() }
        await report.measure("first page") { await self.page(before: nil) }
        await report.measure("first page again") { await self.page(before: nil) }
        await report.measure("page in the middle") { await self.page(before: 50_000) }
        await report.measure("message by message, 1,000") {
            for _ in 0..<1000 {
                await withCheckedContinuation { done in
                    self.store.apply([self.came()]) { _ in done.resume() }
                }
            }
        }
        await report.measure("burst of 1,000, full store") { await self.burst() }
        for words in ["number 4711", "m", "message number", "e x a"] {
            await report.measure("search for “\(words)”") {
                _ = try? await self.store.search(words, of: nil, count: 200)
            }
        }
        await report.measure("summary") { _ = try? await self.store.summary() }
        await report.measure("all seen") {
            self.apply([.seen(buddy: self.grace, upTo: .place(.max))])
            await self.flush()
        }
        report.memory("at the end")
    }

    private func burst() async {
        for _ in 0..<1000 { apply([came()]) }
        await flush()
    }

    private func apply(_ facts: [MessageUpdate]) {
        store.apply(facts) { result in
            guard case .failure(let error) = result else { return }
            print("failed: \(error)")
            exit(1)
        }
    }

    private func flush() async {
        await withCheckedContinuation { done in store.flush { done.resume() } }
    }

    private func page(before place: Int64?) async {
        _ = try? await store.messages(of: grace, before: place, count: 100)
    }

    private func came() -> MessageUpdate { .received(message()) }

    private func piece(of size: Int) -> MessageUpdate {
        let messages = (0..<size).map { _ in message() }
        return .archived(ArchivePage(.newest(upTo: messages.last?.archiveName), messages))
    }

    /// Returns a message of typical length.
    private func message() -> ReceivedMessage {
        count += 1
        return ReceivedMessage(
            buddy: grace, sender: .buddy, time: ChatTime(milliseconds: count * 60_000),
            text: "This is message number \(count) of very many that we have exchanged by now.", count: count)
    }
}

extension ReceivedMessage {
    fileprivate init(buddy: ChatAddress, sender: MessageSender, time: ChatTime, text: String, count: Int64) {
        self.init(
            buddy: buddy, sender: sender, text: text, time: time, name: "a-name-of-usual-length-\(count)",
            archiveName: "archive-name-\(count)")
    }
}
