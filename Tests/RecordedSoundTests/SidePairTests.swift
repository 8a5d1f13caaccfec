// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import RecordedSound

/// Tests of the two sides of a call, whose parts come late, at once, or never.
@Suite struct SidePairTests {
    private static let rate = 8_000
    private var pair = SidePair(rate: rate)
    private var taken: (far: [Int16], near: [Int16]) = ([], [])

    /// Adds seconds of a side in parts of 10 ms.
    private mutating func add(_ value: Int16, _ seconds: Double, _ side: Recorder.Side) {
        let part = [Int16](repeating: value, count: Self.rate / 100)
        for _ in 0..<Int((seconds * 100).rounded()) {
            part.withUnsafeBufferPointer { pair.add($0, of: side) }
        }
    }

    private mutating func take(all: Bool = false) {
        let (far, near) = pair.take(all: all)
        #expect(far.count == near.count)
        taken.far += far
        taken.near += near
    }

    private var seconds: Double { Double(taken.far.count) / Double(Self.rate) }

    @Test mutating func sidesStayTogether() {
        for _ in 0..<10 {
            add(1, 0.1, .far)
            add(2, 0.1, .near)
            take()
        }
        take(all: true)
        #expect(taken.far == [Int16](repeating: 1, count: Self.rate))
        #expect(taken.near == [Int16](repeating: 2, count: Self.rate))
    }

    /// A busy machine gets the samples late, and many at once.
    @Test(arguments: [true, false]) mutating func lateSoundDoesNotLengthenRecording(isTaken: Bool) {
        for _ in 0..<10 {
            add(2, 1, .near)
            if isTaken { take() }
            add(1, 2, .far)
            if isTaken { take() }
            add(2, 1, .near)
        }
        take(all: true)
        #expect(abs(seconds - 20) < 1)
        #expect(taken.far.count { $0 == 1 } > 15 * Self.rate)
    }

    @Test mutating func gapIsFilled() {
        add(1, 1, .far)
        add(2, 4, .near)
        take(all: true)
        #expect(abs(seconds - 4) < 0.01)
        #expect(taken.far.count { $0 == 1 } == Self.rate)
    }

    /// Without a microphone, only the far end tells the time.
    @Test mutating func oneSideAloneIsTaken() {
        for _ in 0..<10 {
            add(1, 1, .far)
            take()
        }
        #expect(seconds > 9)
        take(all: true)
        #expect(abs(seconds - 10) < 0.01)
    }
}
