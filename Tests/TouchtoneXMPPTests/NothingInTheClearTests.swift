// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import TestSupport
import TouchtoneStore
import XCTest

@testable import TouchtoneCore
@testable import TouchtoneXMPP

/// A property test: whatever happens, no text of an encrypted conversation leaves the program in the clear.
final class NothingInTheClearTests: XMPPTestCase {
    func testNoTextOfEncryptedConversationLeavesInTheClear() throws {
        try onMainActor {
            for seed in 1...TestLength.cases(3, long: 30) { try Afternoon().run(UInt64(seed)) }
        }
    }
}

/// Random steps of the user, of the buddy and of the network.
@MainActor
private struct Afternoon {
    private enum Step: CaseIterable {
        case send, reply, correct, react, plainMessage, plainConversation, otherDevice, noDevices,
            falseDevices,
            verify, leaveOut, askAgain, cut, kill
    }

    func run(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
        let other = try RawDesk(try account("charles"))
        let raw = try RawDesk(alan.account)
        var count = 0
        func secret() -> String {
            count += 1
            return "SECRET \(count) of \(seed)"
        }
        grace.chat.setEncrypted(true, alan.address)
        grace.send(secret(), to: alan.address)
        waitUntil("the first one has come") { alan.texts(with: grace.address).count == 1 }
        for _ in 0..<40 {
            guard let step = Step.allCases.randomElement(using: &random) else { continue }
            let conversation = grace.messages(with: alan.address)
            switch step {
            case .send: grace.send(secret(), to: alan.address)
            case .reply:
                grace.chat.send(
                    secret(), to: alan.address, inReplyTo: conversation.randomElement(using: &random))
            case .correct:
                if let message = conversation.filter(\.isCorrectable).randomElement(using: &random) {
                    grace.chat.correct(message, to: secret()) { _ in }
                }
            case .react:
                if let message = conversation.randomElement(using: &random) {
                    grace.chat.toggle("👍", on: message)
                }
            case .plainMessage: raw.send("in the clear \(count)", to: grace.address)
            case .plainConversation: grace.send("OPEN \(count)", to: other.fixture.address)
            case .otherDevice:
                _ = try awaited {
                    try await alan.program.store.makeOwnDevice(besides: [], at: alan.wallNow)
                }
                alan.encryption.publisher.begin()
                alan.encryption.start()
            case .noDevices: raw.publish([])
            case .falseDevices:
                raw.publish((0..<5).map { _ in .random(in: DeviceAddress.numbers, using: &random) })
            case .verify:
                let devices = try awaited { try await grace.program.store.devices(of: alan.address) }
                if let device = devices.filter({ $0.key != nil }).randomElement(using: &random) {
                    let trust = KeyTrust.allCases.randomElement(using: &random) ?? .verified
                    try awaited { try await grace.encryption.setTrust(trust, in: device) }
                }
            case .leaveOut: grace.chat.leaveOutDevices(alan.address)
            case .askAgain: grace.chat.retryEncryption(alan.address)
            case .cut:
                grace.cut()
                MainLoop.run(upTo: 20) { false }
                grace.program.session.wakeUp()
            case .kill: grace.restart()
            }
            // Steps meet in any state of the earlier ones.
            MainLoop.run(upTo: .random(in: 0...60, using: &random)) { false }
        }
        let leaks = grace.sent.filter { $0.contains("SECRET") }
        XCTAssertEqual(leaks, [], "seed \(seed)")
        XCTAssertTrue(grace.chat.isEncrypted(alan.address), "seed \(seed)")
        for desk in [grace, alan] { desk.program.session.signOut() }
        for desk in [other, raw] { desk.fixture.chat.signOut() }
    }
}

extension RawDesk {
    /// Publishes a list of devices, whether they exist or not.
    fileprivate func publish(_ devices: [UInt32]) {
        let client = fixture.client
        Task { try? await client.publishOpenly(OMEMO.list(devices), in: OMEMO.devices) }
    }
}
