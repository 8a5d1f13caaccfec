// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneAudio

/// Tests of the sounds beside the key tones, as played by ALSA's default device.
final class SoundsTests: SoundTestCase {
    private static let rate = 48_000

    private static func plan(_ name: String) throws -> TonePlan {
        let file = URL(fileURLWithPath: "\(Checkout.folder)/data/tone-plans/\(name).plan")
        return try TonePlan([UInt8](Data(contentsOf: file)))
    }

    func testEverySoundPlaysWithSampleAccuracy() throws {
        let plan = try Self.plan("us")
        let sounds: [(PhoneSound, Double)] =
            [(.keyClick, 1), (.errorTone, 1), (.pulses([.two]), 1), (.bell, 1), (.warble, 1), (.ding, 1)]
            // The off-hook warning is so loud that it is attenuated to leave room for a key.
            + NetworkSound.allCases.filter { $0 != .offHook }.map { (.cadence(plan[$0]), 1.5) }
        for (sound, seconds) in sounds {
            let recorder = try soundServer().record()
            let engine = AudioEngine { XCTFail("\($0)") }
            let played = engine.play(sound, on: .tones)
            XCTAssert(recorder.waitForSound())
            recorder.pass(seconds)
            engine.stop(played)
            XCTAssert(recorder.waitForSilence(0.1))
            let heard = Array(recorder.end().drop { $0 == 0 })
            let made = SoundScore(sound).samples(rate: Self.rate, seconds: seconds).drop { $0 == 0 }
            let count = min(made.count, Int(seconds * Double(Self.rate)) - 480)
            let different = zip(heard, made).prefix(count).enumerated().first { $1.0 != $1.1 }
            XCTAssertGreaterThanOrEqual(heard.count, count, "\(sound)")
            XCTAssertNil(different, "\(sound)")
        }
    }

    func testKeysOverRingbackAreDecoded() throws {
        let recorder = try soundServer().record()
        let engine = AudioEngine { XCTFail("\($0)") }
        let ringback = engine.play(.cadence(try Self.plan("us")[.ringback]), on: .tones)
        XCTAssert(recorder.waitForSound())
        for key in [DTMFKey.one, .five, .nine, .pound] {
            press(key, engine, for: 0.1, on: recorder)
            recorder.pass(0.1)
        }
        engine.stop(ringback)
        XCTAssert(recorder.waitForSilence(0.2))
        // spandsp needs a filter in front to remove the sounds of the line itself.
        let samples = recorder.end()
        XCTAssertEqual(try peer { try Decoders.multimon(samples, rate: Self.rate) }, "159#")
        XCTAssertLessThan(samples.map { abs(Int($0)) }.max() ?? 0, 32767)
    }

    func testKeysDialWithPulses() throws {
        let recorder = try soundServer().record()
        let engine = AudioEngine { XCTFail("\($0)") }
        engine.setPulseDialling(true)
        for key in [DTMFKey.three, .one] {
            engine.start(key)
            engine.stop()
        }
        XCTAssert(recorder.waitForSound())
        XCTAssert(recorder.waitForSilence(1))
        let clicks = Bursts(recorder.end(), rate: Self.rate, gap: 0.008).ranges.map(\.lowerBound)
        XCTAssertEqual(clicks.count, 8, "two for each of four pulses")
        let times = clicks.map { (Double($0 - clicks[0]) * 1000 / Double(Self.rate)).rounded() }
        XCTAssertEqual(times, [0, 60, 100, 160, 200, 260, 1060, 1120])
    }

    func testRingerHasItsOwnDeviceAndLevel() throws {
        let server = try soundServer()
        waitForNoAudioThread()
        let recorder = try server.record()
        let engine = AudioEngine { XCTFail("\($0)") }
        engine.setReady(true)
        engine.setRingLevel(-30)
        engine.setDevice("pulse", for: .ringer)
        let ring = engine.play(.warble, on: .ringer)
        XCTAssert(recorder.waitForSound())
        XCTAssertEqual(try server.streams(), 2)
        recorder.pass(0.3)
        engine.setRingLevel(-20)
        recorder.pass(0.3)
        engine.stop(ring)
        XCTAssert(recorder.waitForSilence(0.2))
        let heard = Array(recorder.end().drop { $0 == 0 })
        XCTAssertEqual(decibels(heard[..<9600]), -30, accuracy: 0.3)
        XCTAssertEqual(decibels(heard[19_200..<28_800]), -20, accuracy: 0.3)
        let end = Date(timeIntervalSinceNow: 60)
        while try server.streams() != 1, Date() < end {}
        XCTAssertEqual(try server.streams(), 1, "the ringer keeps no device at rest")
        withExtendedLifetime(engine) {}
    }

    func testLoudspeakerTakesOverSoundsAndReturnsThem() throws {
        let server = try soundServer()
        waitForNoAudioThread()
        let recorder = try server.record()
        // ALSA's `null` is silent, so any sound comes from the loudspeaker.
        let engine = AudioEngine(device: "null") { XCTFail("\($0)") }
        engine.setDevice("pulse", for: .ringer)
        let call = engine.play(.warble, on: .tones)
        recorder.pass(0.3)
        XCTAssertEqual(try server.streams(), 0)
        engine.setSpeaker("pulse")
        XCTAssert(recorder.waitForSound(), "it may be in its silence of four seconds")
        engine.play(.ding, on: .ringer)
        recorder.pass(0.2)
        XCTAssertEqual(try server.streams(), 1, "ringing and calls share the device")
        engine.setSpeaker(nil)
        let end = Date(timeIntervalSinceNow: 60)
        while try server.streams() != 0, Date() < end {}
        XCTAssertEqual(try server.streams(), 0)
        engine.stop(call)
    }

    func testRingerSharesDeviceOfTones() throws {
        let server = try soundServer()
        waitForNoAudioThread()
        let recorder = try server.record()
        let engine = AudioEngine { XCTFail("\($0)") }
        let ring = engine.play(.bell, on: .ringer)
        engine.start(.five)
        XCTAssert(recorder.waitForSound())
        XCTAssertEqual(try server.streams(), 1)
        engine.stop()
        engine.stop(ring)
        XCTAssert(recorder.waitForSilence(0.2))
    }

    func testEndlessSoundResumesWhenServerReturns() throws {
        let server = try soundServer()
        let notices = RecordedNotices()
        let engine = AudioEngine { notices.add($0) }
        var recorder = try server.record()
        let ring = engine.play(.warble, on: .ringer)
        XCTAssert(recorder.waitForSound())
        server.kill()
        XCTAssert(notices.wait(for: 1))
        try server.start()
        recorder = try server.record()
        XCTAssert(recorder.waitForSound(), "it may be in its silence of four seconds")
        XCTAssertEqual(notices.all, [.deviceLost(.tones), .deviceFound(.tones)])
        engine.stop(ring)
        XCTAssert(recorder.waitForSilence(0.2))
    }

    func testSoundStoppedBeforeItStartsIsNotHeard() throws {
        let recorder = try soundServer().record()
        let engine = AudioEngine { XCTFail("\($0)") }
        // The engine is still busy with earlier sounds.
        let mayGoOn = DispatchSemaphore(value: 0)
        engine.inOrder { mayGoOn.wait() }
        for _ in 0..<20 { engine.stop(engine.play(.bell, on: .tones)) }
        mayGoOn.signal()
        let isDone = DispatchSemaphore(value: 0)
        engine.inOrder { isDone.signal() }
        isDone.wait()
        engine.start(.one)
        recorder.pass(0.2)
        engine.stop()
        XCTAssert(recorder.waitForSilence(0.3))
        XCTAssertEqual(Bursts(recorder.end(), rate: 48_000).ranges.count, 1)
    }

    func testSoundStoppedAtOnceIsNotStuck() throws {
        let recorder = try soundServer().record()
        let engine = AudioEngine { XCTFail("\($0)") }
        for _ in 0..<100 { engine.stop(engine.play(.bell, on: .tones)) }
        XCTAssert(recorder.waitForSilence(0.3))
        engine.start(.one)
        XCTAssert(recorder.waitForSound())
        engine.stop()
        XCTAssert(recorder.waitForSilence(0.3))
    }

    private func decibels(_ samples: ArraySlice<Int16>) -> Double {
        20 * log10(Double(samples.map { abs(Int($0)) }.max() ?? 0) / 32767)
    }
}
