// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import TouchtoneAudio

@Suite struct KeyCommandRingTests {
    @Test func fullRingStillAcceptsReleaseOfItsLastPress() {
        let ring = KeyCommandRing()
        defer { ring.deallocate() }
        var presses = 0
        while ring.push(.start(UInt8(presses % 16))) { presses += 1 }
        #expect(presses == Int(KeyCommandRing.capacity) - 1)
        #expect(ring.push(.stop))
        #expect(!ring.push(.stop))
        var commands = 0
        while ring.peek() != nil {
            if commands < presses, case .start(let key) = ring.peek() { #expect(Int(key) == commands % 16) }
            commands += 1
            ring.drop()
        }
        #expect(commands == presses + 1)
        #expect(ring.isEmpty)
        #expect(ring.push(.start(3)), "a ring that was full is of use again")
    }

    /// Under ThreadSanitizer this also proves that writer and reader need no lock.
    @Test func commandsReachOtherThreadInOrder() {
        // The ring is freed after both threads have ended.
        nonisolated(unsafe) let ring = KeyCommandRing()
        defer { ring.deallocate() }
        let count = 200_000
        let writer = Thread {
            for number in 0..<count {
                let command = number % 17 == 16 ? KeyCommand.stop : .start(UInt8(number % 17))
                while !ring.push(command) { sched_yield() }
            }
        }
        writer.start()
        var received = 0
        var isInOrder = true
        while received < count {
            guard let command = ring.peek() else {
                sched_yield()
                continue
            }
            ring.drop()
            switch command {
            case .start(let key): isInOrder = isInOrder && Int(key) == received % 17
            case .stop: isInOrder = isInOrder && received % 17 == 16
            }
            received += 1
        }
        #expect(isInOrder)
        #expect(ring.isEmpty)
    }
}
