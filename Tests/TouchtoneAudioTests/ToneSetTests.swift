// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import TouchtoneAudio
import TouchtoneCore
import XCTest

/// Tests of the sound of recorded tone sets.
final class ToneSetTests: SoundTestCase {
    func testRecordingSoundsOnceWithSynthesizerAsFallback() throws {
        let recorder = try soundServer().record()
        let notices = RecordedNotices()
        let engine = AudioEngine { notices.add($0) }
        engine.setReady(true)
        try TemporaryFolder.with { folder in
            // A set in which 5 has the sound of 9, for 200 ms, and no other key has a recording.
            var score = KeyToneScore([.nine])
            score.tone = 0.2
            try folder.write(
                WAVFile(samples: score.samples(rate: 44_100), rate: 44_100), DTMFKey.five.fileName)
            engine.setToneSet(folder.path)
            XCTAssert(notices.wait(for: 1))
            press(.five, engine, for: 0.5, on: recorder)
            recorder.pass(0.1)
            press(.six, engine, for: 0.3, on: recorder)
            recorder.waitForSilence(0.2)
            // The notice is sent once, because the same set is not a change.
            engine.setToneSet(folder.path)
            engine.setToneSet("")
            XCTAssert(notices.wait(for: 2))
            engine.setToneSet(nil)
        }
        press(.five, engine, for: 0.1, on: recorder)
        recorder.waitForSilence(0.2)
        let (samples, told) = (recorder.end(), notices.all)
        XCTAssertEqual(try peer { try Decoders.multimon(samples) }, "965")
        let lengths = Bursts(samples, rate: 48_000).ranges.map { Double($0.count) / 48_000 }
        XCTAssertEqual(lengths.count, 3)
        XCTAssertEqual(try XCTUnwrap(lengths.first), 0.2, accuracy: 0.005)
        XCTAssertEqual(
            told,
            [
                .toneSetIncomplete(DTMFKey.allCases.filter { $0.isOnKeypad && $0 != .five }),
                .toneSetIncomplete(DTMFKey.allCases.filter(\.isOnKeypad)),
            ])
    }

    func testReleaseEndsRecordingWithoutClick() throws {
        let recorder = try soundServer().record()
        let notices = RecordedNotices()
        let engine = AudioEngine { notices.add($0) }
        engine.setReady(true)
        try TemporaryFolder.with { folder in
            var score = KeyToneScore([.five])
            score.tone = 2
            try folder.write(
                WAVFile(samples: score.samples(rate: 48_000), rate: 48_000), DTMFKey.five.fileName)
            engine.setToneSet(folder.path)
            XCTAssert(notices.wait(for: 1))
            press(.five, engine, for: 0.1, on: recorder)
            recorder.waitForSilence(0.2)
        }
        let samples = recorder.end()
        XCTAssertLessThan(Bursts(samples, rate: 48_000).ranges.map(\.count).max() ?? 0, 9600)
        XCTAssertLessThanOrEqual(
            greatestStep(samples), steepestStep(.five, peak: Level.standard.amplitude, rate: 48_000))
    }
}
