// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import GLibBridge
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests that encrypted messages arrive everywhere, once and in the order of each sender, whatever is cut or killed.
///
/// Set `TOUCHTONE_SEED` to repeat the choices of a run that failed.
final class EncryptionStormTests: XMPPTestCase {
    func testConversationOfFiveDevicesSurvivesCutsAndKills() throws {
        try onMainActor {
            let (mine, theirs) = (try devices("grace", 3), try devices("alan", 2))
            let (me, buddy) = (mine[0].address, theirs[0].address)
            Storm(mine + theirs) { $0.address == me ? buddy : me }.run()
        }
    }

    func testPrivateRoomOfSixDevicesSurvivesCutsAndKills() throws {
        try onMainActor {
            let room = try newRoom()
            let (mine, theirs, others) = (
                try devices("grace", 3), try devices("alan", 2), try devices("ada", 1)
            )
            try mine[0].open(room, for: [theirs[0], others[0]])
            let desks = mine + theirs + others
            for desk in desks where !desk.isPrivate(room) { try desk.enter(room) }
            waitUntil("it is private for all") { desks.allSatisfy { $0.isPrivate(room) } }
            Storm(desks) { _ in ChatAddress(room) }.run()
        }
    }
}

@MainActor
private func devices(_ name: String, _ count: Int) throws -> [EncryptedDesk] {
    let first = try EncryptedDesk(name)
    return [first] + (try (1..<count).map { _ in try EncryptedDesk(name, account: first.account) })
}

@MainActor
private struct Storm {
    private static let total = TestLength.cases(120, long: 4000)
    private static let cuts = TestLength.cases(6, long: 50)

    private let desks: [EncryptedDesk]
    private let conversation: (EncryptedDesk) -> ChatAddress
    private let seed =
        UInt64(ProcessInfo.processInfo.environment["TOUCHTONE_SEED"] ?? "") ?? .random(in: 1...1_000_000)

    /// - Parameter conversation: Returns the address to which a device writes.
    init(_ desks: [EncryptedDesk], to conversation: @escaping (EncryptedDesk) -> ChatAddress) {
        (self.desks, self.conversation) = (desks, conversation)
    }

    func run() {
        // All know of each other before the storm: new devices read nothing older.
        for _ in 0..<2 {
            for desk in desks {
                desk.send("hello of \(desk.mark)", to: conversation(desk))
                settle()
            }
        }
        send()
        waitUntil("all have everything, seed \(seed)", seconds: TestLength.isLong ? 1800 : 120) {
            settle()
            return desks.allSatisfy { texts(at: $0).count >= Self.total }
        }
        // The archive has the last word on the order.
        for desk in desks { desk.passTime() }
        waitUntil("the order is that of the archive, seed \(seed)") {
            settle()
            return desks.allSatisfy { texts(at: $0) == texts(at: desks[0]) }
        }
        for desk in desks {
            check(texts(at: desk), at: desk)
            XCTAssertEqual(desk.sent.filter { $0.contains("storm") }, [], "seed \(seed)")
        }
    }

    private func texts(at desk: EncryptedDesk) -> [String] {
        desk.texts(with: conversation(desk)).filter { $0.hasPrefix("storm") }
    }

    /// Sends from random devices, while connections break and programs are killed.
    private func send() {
        var random = SplitMix64(seed: seed)
        var numbers: [String: Int] = [:]
        let disturbance = max(1, Self.total / Self.cuts)
        for index in 0..<Self.total {
            guard let desk = desks.randomElement(using: &random) else { continue }
            numbers[desk.mark, default: 0] += 1
            desk.send("storm \(desk.mark) \(numbers[desk.mark, default: 0])", to: conversation(desk))
            if index % disturbance == disturbance - 1, let victim = desks.randomElement(using: &random) {
                if Bool.random(using: &random) {
                    victim.restart()
                } else {
                    victim.cut()
                    MainLoop.run(upTo: 20) { false }
                    victim.program.session.wakeUp()
                }
            }
            MainLoop.run(upTo: .random(in: 0...15, using: &random)) { false }
        }
    }

    /// Lets what follows from received messages happen, and connections come back.
    private func settle() {
        for desk in desks {
            // In a long storm, the server is behind for minutes: a clock that runs ahead would make it seem dead.
            desk.tidy(for: TestLength.isLong ? .milliseconds(200) : .seconds(3))
            if case .waiting = desk.program.client.state { desk.program.session.wakeUp() }
        }
        MainLoop.run(upTo: 200) { false }
    }

    /// Checks that each text is there once, and that those of each device are in order.
    private func check(_ texts: [String], at desk: EncryptedDesk) {
        XCTAssertEqual(texts.count, Self.total, "at \(desk.mark), seed \(seed)")
        var last: [Substring: Int] = [:]
        for text in texts {
            let parts = text.split(separator: " ")
            let number = Int(parts[2]) ?? 0
            let before = last[parts[1], default: 0]
            guard number == before + 1 else {
                return XCTFail("\(text) follows \(before) at \(desk.mark), seed \(seed)")
            }
            last[parts[1]] = number
        }
    }
}

extension EncryptedDesk {
    /// A name for the device, which no other one has.
    fileprivate var mark: String { String(folder.suffix(6)) }
}
