// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneAudio

@Suite struct KeyTonesTests {
    @Test func toneSoundsFromPressToRelease() {
        let player = Player()
        player.render(480)
        player.press(.five)
        player.render(9600)
        player.release()
        player.renderAll()
        let bursts = player.bursts
        #expect(bursts.ranges.count == 1)
        #expect(bursts.ranges[0].lowerBound - 480 < 24, "the tone begins with the press")
        let fall = Envelope(rate: 48_000).rampFrames
        #expect(abs(bursts.ranges[0].upperBound - (480 + 9600 + fall)) < 24)
        #expect(player.soundEnd == 480 + 9600 + fall)
    }

    @Test func toneLastsAtLeastFiftyMilliseconds() {
        let player = Player()
        player.press(.five)
        player.release()
        player.renderAll()
        #expect(player.soundEnd == 2400 + Envelope(rate: 48_000).rampFrames)
    }

    @Test func simultaneousPressesSoundInOrder() {
        let player = Player()
        for key in DTMFKey.allCases {
            player.press(key)
            player.release()
        }
        player.renderAll()
        let bursts = player.bursts
        #expect(bursts.sounds.map { key(of: $0) } == DTMFKey.allCases)
        #expect(bursts.gaps.allSatisfy { $0 >= 2400 && $0 < 2400 + 48 })
        #expect(bursts.ranges.allSatisfy { $0.count >= 2400 })
    }

    @Test func pressReplacesSoundingTone() {
        let player = Player()
        player.press(.one)
        player.render(9600)
        player.press(.two)
        player.render(9600)
        player.press(.one)
        player.render(9600)
        player.release()
        player.renderAll()
        #expect(player.bursts.sounds.map { key(of: $0) } == [.one, .two, .one])
        #expect(player.bursts.gaps.allSatisfy { $0 >= 2400 })
    }

    @Test func repeatedPressWithoutReleaseSoundsAgain() {
        let player = Player()
        player.press(.one)
        player.render(4800)
        player.press(.one)
        player.render(4800)
        player.release()
        player.renderAll()
        #expect(player.bursts.sounds.map { key(of: $0) } == [.one, .one])
    }

    @Test func strayReleaseChangesNothing() {
        let player = Player()
        player.release()
        player.release()
        player.render(480)
        #expect(player.isSilent)
        #expect(player.samples.allSatisfy { $0 == 0 })
    }

    @Test func elapsedPauseIsNotRepeated() {
        let player = Player()
        player.press(.one)
        player.release()
        player.renderAll()
        player.renderer.keyTones.recordSilence(1200)
        let frame = player.samples.count
        player.press(.two)
        player.render(4800)
        #expect(abs(player.bursts.ranges[1].lowerBound - (frame + 1200)) < 24)
    }

    @Test func discardedCommandsAreNotHeard() {
        let player = Player()
        player.press(.one)
        player.render(960)
        player.press(.two)
        player.renderer.keyTones.discard()
        #expect(player.isSilent)
        let frame = player.samples.count
        player.render(4800)
        #expect(player.samples[frame...].allSatisfy { $0 == 0 })
    }

    @Test func toneLostByDeviceStartsAgain() {
        let player = Player()
        player.press(.seven)
        player.render(2000)
        player.renderer.keyTones.beginAgain(MixSettings(keys: 0.5))
        let frame = player.samples.count
        player.render(4800)
        let again = Array(player.samples[frame...])
        #expect(again[0] == 0)
        #expect(key(of: again) == .seven)
        #expect(greatestStep(again) <= steepestStep(.seven, peak: 0.5, rate: 48_000))
    }

    @Test(arguments: DTMFKey.allCases) func tonesHaveNoClicks(_ key: DTMFKey) {
        let player = Player()
        player.press(key)
        player.render(3001, amplitude: 0.5)
        player.render(3001, amplitude: 0.1)
        player.render(3001, amplitude: 1)
        player.press(key)
        player.render(6007, amplitude: 1)
        player.release()
        player.renderAll(amplitude: 1)
        // The change of the level adds its own slope: 0.9 of full scale in 10 ms.
        let bound = steepestStep(key, peak: 1, rate: 48_000) + 0.9 / 480
        #expect(greatestStep(player.samples) <= bound)
    }

    @Test(arguments: Seeds.all) func anyPressesKeepOrderAndDuration(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let player = Player()
        var pressed: [DTMFKey] = []
        for _ in 0..<100 {
            if Bool.random(using: &random), let key = DTMFKey.allCases.randomElement(using: &random) {
                if player.press(key) { pressed.append(key) }
            } else {
                player.release()
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                player.render(.random(in: 1...4000, using: &random))
            }
        }
        player.release()
        player.renderAll()
        let bursts = player.bursts
        #expect(bursts.sounds.map { key(of: $0) } == pressed)
        #expect(bursts.ranges.allSatisfy { $0.count >= 2400 })
        #expect(bursts.gaps.allSatisfy { $0 >= 2400 })
        #expect(player.isSilent)
    }
}
