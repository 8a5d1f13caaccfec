// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TouchtoneXMPP

@Suite struct BackoffTests {
    @Test(arguments: Seeds.all)
    func delayGrowsFromOneSecondToTwoMinutes(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var backoff = Backoff()
        let delays = (0..<40).map { _ in backoff.next(using: &random) }
        #expect(delays[0] >= .seconds(1) && delays[0] <= .seconds(2))
        for (index, delay) in delays.enumerated() {
            let maximum = min(120, 2 << min(index, 8))
            #expect(delay >= .seconds(maximum) / 2 && delay <= .seconds(maximum))
        }
        #expect(Set(delays.suffix(30)).count > 20)
        backoff.reset()
        #expect(backoff.next(using: &random) <= .seconds(2))
    }

    @Test(arguments: Seeds.all)
    func firstAttemptAfterCutComesWithinHalfSecond(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var backoff = Backoff()
        _ = (0..<5).map { _ in backoff.next(using: &random) }
        backoff.resetAfterCut()
        #expect(backoff.next(using: &random) <= .milliseconds(500))
        let second = backoff.next(using: &random)
        #expect(second >= .seconds(1) && second <= .seconds(2))
        backoff.resetAfterCut()
        backoff.reset()
        #expect(backoff.next(using: &random) >= .seconds(1))
    }
}

@Suite struct StreamManagementTests {
    private func sent(_ count: Int) -> StreamManagement {
        var management = StreamManagement(id: "x")
        for index in 0..<count {
            _ = management.send(XMLElement("message", "jabber:client", ["id": "\(index)"]))
        }
        return management
    }

    @Test func acknowledgedStanzasAreRemoved() throws {
        var management = sent(5)
        let first = try management.acknowledge("3")
        #expect(first.compactMap { $0["id"] } == ["0", "1", "2"])
        #expect(management.waiting.compactMap { $0["id"] } == ["3", "4"])
        let second = try management.acknowledge("3")
        #expect(second.isEmpty)
        let third = try management.acknowledge("5")
        #expect(third.count == 2)
    }

    @Test(arguments: ["6", "-1", "4294967296", "x", ""])
    func impossibleCountIsRefused(_ count: String) {
        var management = sent(5)
        #expect(throws: XMPPError.self) { try management.acknowledge(count) }
        #expect(management.waiting.count == 5)
    }

    @Test func countDoesNotDecrease() throws {
        var management = sent(5)
        _ = try management.acknowledge("4")
        #expect(throws: XMPPError.self) { try management.acknowledge("3") }
    }

    @Test func pendingStanzasAreBounded() {
        var management = sent(StreamManagement.maximumWaiting)
        let isTaken = management.send(XMLElement("message", "jabber:client"))
        #expect(!isTaken)
    }
}

@Suite struct ServerOrderTests {
    private func record(_ host: String, _ priority: UInt16, _ weight: UInt16, direct: Bool = false)
        -> ServiceRecord
    {
        ServiceRecord(
            endpoint: Endpoint(host: host, port: 5222, isDirectTLS: direct), priority: priority,
            weight: weight)
    }

    private func hosts(_ records: [ServiceRecord]?, _ mode: TLSMode = .automatic, seed: UInt64 = 1) throws
        -> [String]
    {
        var random = SplitMix64(seed: seed)
        return try ServerOrder.endpoints(of: "example.org", records: records, mode: mode, using: &random).map(
            \.host)
    }

    @Test func bothServicesFormOneList() throws {
        let records = [record("b", 5, 0), record("a", 1, 0, direct: true), record("c", 9, 0, direct: true)]
        #expect(try hosts(records) == ["a", "b", "c"])
        #expect(try hosts(records, .startTLS) == ["b"])
        #expect(try hosts(records, .direct) == ["a", "c"])
    }

    @Test func weightsDecideWithinPriority() throws {
        let records = [record("heavy", 1, 90), record("light", 1, 10), record("zero", 1, 0)]
        let firsts = try (0..<1000).map { try hosts(records, seed: UInt64($0))[0] }
        #expect((800...970).contains(firsts.filter { $0 == "heavy" }.count))
        #expect(firsts.filter { $0 == "light" }.count > 30)
        #expect(try hosts(records).count == 3)
    }

    @Test func dotMeansNoService() {
        #expect(throws: XMPPError.noService(domain: "example.org")) { try hosts([record(".", 0, 0)]) }
        #expect(throws: XMPPError.noService(domain: "example.org")) {
            try hosts([record("a", 0, 0)], .direct)
        }
    }

    @Test func domainIsServerWithoutRecords() throws {
        #expect(try hosts(nil) == ["example.org"])
        #expect(try hosts(Array(repeating: record("a", 1, 1), count: 100)).count == 8)
    }
}
