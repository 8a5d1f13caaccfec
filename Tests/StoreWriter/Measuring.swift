// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneCore
import TouchtoneStore

/// Measures the store with a conversation of 100,000 messages that it makes; in an empty folder of data.
@MainActor
final class Measuring {
    private var store = SQLiteStore()
    private let clock = ContinuousClock()
    private let grace = ChatAddress("grace@example.org")
    private var count: Int64 = 0

    func run() async {
        report("memory before", Self.memory)
        await measure("open an empty store") { _ = try? await self.store.summary() }
        await measure("burst of 1,000, empty store") { await self.burst() }
        await measure("catch up with 100,000") {
            for _ in 0..<200 {
                self.apply([self.piece(of: 500)])
                await self.flush()
            }
        }
        report("memory after", Self.memory)
        // As at the next start: another connection.
        store = SQLiteStore()
        await measure("open, and the summary") { _ = try? await self.store.summary() }
        await measure("first page") { await self.page(before: nil) }
        await measure("first page again") { await self.page(before: nil) }
        await measure("page in the middle") { await self.page(before: 50_000) }
        await measure("message by message, 1,000") {
            for _ in 0..<1000 {
                await withCheckedContinuation { done in
                    self.store.apply([self.came()]) { _ in done.resume() }
                }
            }
        }
        await measure("burst of 1,000, full store") { await self.burst() }
        for words in ["number 4711", "m", "message number", "e x a"] {
            await measure("search for “\(words)”") {
                _ = try? await self.store.search(words, of: nil, count: 200)
            }
        }
        await measure("summary") { _ = try? await self.store.summary() }
        await measure("all seen") {
            self.apply([.seen(buddy: self.grace, upTo: .place(.max))])
            await self.flush()
        }
        report("memory at the end", Self.memory)
        exit(0)
    }

    private func measure(_ what: String, _ body: @MainActor () async -> Void) async {
        let time = await clock.measure(body)
        report(what, "\((Double(time / .microseconds(1)) / 1000 * 100).rounded() / 100) ms")
    }

    private func report(_ what: String, _ value: String) {
        print(what + String(repeating: " ", count: max(1, 32 - what.count)) + value)
    }

    private func burst() async {
        for _ in 0..<1000 { apply([came()]) }
        await flush()
    }

    private func apply(_ facts: [ChatFact]) {
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

    private func came() -> ChatFact { .came(message()) }

    private func piece(of size: Int) -> ChatFact {
        let messages = (0..<size).map { _ in message() }
        return .archived(ArchivePiece(.newest(upTo: messages.last?.archiveName), messages))
    }

    /// About as long as what people write.
    private func message() -> CameMessage {
        count += 1
        return CameMessage(
            buddy: grace, isMine: false, time: ChatTime(milliseconds: count * 60_000),
            text: "This is message number \(count) of very many that we have exchanged by now.", count: count)
    }

    /// What this process holds, with what it shares.
    private static var memory: String {
        guard let file = fopen("/proc/self/status", "r") else { return "unknown" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix("VmRSS:") {
                let kilobytes = text.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap {
                    Int($0)
                }
                return "\((kilobytes ?? 0) / 1024) MiB"
            }
        }
        return "unknown"
    }
}

extension CameMessage {
    fileprivate init(buddy: ChatAddress, isMine: Bool, time: ChatTime, text: String, count: Int64) {
        self.init(
            buddy: buddy, isMine: isMine, text: text, time: time, name: "a-name-of-usual-length-\(count)",
            archiveName: "archive-name-\(count)")
    }
}
