// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TestSupport

@testable import TouchtoneXMPP

/// A stage that holds each message for a random time, so that messages leave it in a random order.
@MainActor
final class RandomStage {
    /// The longest time, in milliseconds.
    private static let longest: UInt32 = 12

    private(set) var count = 0
    private(set) var overtaken = 0
    private var latest = 0
    private var random: SplitMix64
    private var timers: [Int: MainLoop.Timer] = [:]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Returns a pipeline whose received messages it holds.
    func pipeline() -> MessagePipeline { MessagePipeline(decryption: hold) }

    /// Returns a stage for sent messages.
    func stage() -> MessageStage<OutgoingMessage> { MessageStage(hold) }

    private func hold<Item>(_ message: Item) async -> Item {
        count += 1
        let number = count
        let delay = UInt32.random(in: 0...Self.longest, using: &random)
        await withCheckedContinuation { continuation in
            timers[number] = MainLoop.after(milliseconds: delay) { continuation.resume() }
        }
        timers[number] = nil
        if number < latest { overtaken += 1 }
        latest = max(latest, number)
        return message
    }
}
