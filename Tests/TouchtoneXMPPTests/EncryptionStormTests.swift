// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests that encrypted messages arrive everywhere, once and in order, whatever is cut or killed.
final class EncryptionStormTests: XMPPTestCase {
    func testConversationOfFiveDevicesSurvivesCutsAndKills() throws {
        try onMainActor { try Storm().run() }
    }
}

@MainActor
private struct Storm {
    private static let count = TestLength.cases(60, long: 2000)
    private static let cuts = TestLength.cases(6, long: 50)

    func run() throws {
        let mine = try devices("grace", 3)
        let theirs = try devices("alan", 2)
        let (me, buddy) = (mine[0].address, theirs[0].address)
        // All know of each other before the storm: new devices read nothing older.
        for _ in 0..<2 {
            for desk in mine + theirs {
                desk.send("hello of \(desk.mark)", to: desk.address == me ? buddy : me)
                settle(mine + theirs)
            }
        }
        try storm(mine + theirs) { $0.address == me ? buddy : me }
        // The archive has the last word on the order.
        for desk in mine + theirs { desk.passTime() }
        waitUntil("the order is that of the archive") {
            settle(mine + theirs)
            return (mine + theirs).allSatisfy { desk in
                desk.texts(with: desk.address == me ? buddy : me) == mine[0].texts(with: buddy)
            }
        }
        for desk in mine + theirs {
            check(desk.texts(with: desk.address == me ? buddy : me), at: desk)
            XCTAssertEqual(desk.sent.filter { $0.contains("storm") }, [])
        }
    }

    private func devices(_ name: String, _ count: Int) throws -> [EncryptedDesk] {
        let first = try EncryptedDesk(name)
        return [first] + (try (1..<count).map { _ in try EncryptedDesk(name, account: first.account) })
    }

    /// Sends from random devices, while connections break and programs are killed, until all have everything.
    private func storm(_ desks: [EncryptedDesk], to address: (EncryptedDesk) -> ChatAddress) throws {
        var random = SplitMix64(seed: 7)
        var numbers: [String: Int] = [:]
        let disturbance = max(1, 2 * Self.count / Self.cuts)
        for index in 0..<2 * Self.count {
            guard let desk = desks.randomElement(using: &random) else { continue }
            numbers[desk.mark, default: 0] += 1
            desk.send("storm \(desk.mark) \(numbers[desk.mark, default: 0])", to: address(desk))
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
        let total = 2 * Self.count
        waitUntil("all have everything", seconds: 600) {
            settle(desks)
            return desks.allSatisfy { desk in
                desk.texts(with: address(desk)).count { $0.hasPrefix("storm") } >= total
            }
        }
    }

    /// Lets what follows from received messages happen, and connections come back.
    private func settle(_ desks: [EncryptedDesk]) {
        for desk in desks {
            desk.tidy()
            if case .waiting = desk.program.client.state { desk.program.session.wakeUp() }
        }
        MainLoop.run(upTo: 200) { false }
    }

    /// Checks that each text is there once, and in long runs that those of each device are in order.
    private func check(_ texts: [String], at desk: EncryptedDesk) {
        let storm = texts.filter { $0.hasPrefix("storm") }
        XCTAssertEqual(storm.count, 2 * Self.count, "at \(desk.mark)")
        var last: [Substring: Int] = [:]
        var seen: Set<String> = []
        for text in storm {
            let parts = text.split(separator: " ")
            let number = Int(parts[2]) ?? 0
            // Under cuts, a device’s messages still reach the server in another order at times: a known defect.
            if TestLength.isLong {
                XCTAssertEqual(number, last[parts[1], default: 0] + 1, "\(text) at \(desk.mark)")
            }
            XCTAssertTrue(seen.insert(text).inserted, "\(text) twice at \(desk.mark)")
            last[parts[1]] = number
        }
    }
}

extension EncryptedDesk {
    /// A name for the device, which no other one has.
    fileprivate var mark: String { String(folder.suffix(6)) }
}
