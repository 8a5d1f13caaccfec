// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of recording and playing voice messages.
@Suite @MainActor struct VoiceMessageTests {
    private let fixture = CallManagerFixture()
    private let device = FakeVoiceDevice()
    private let voice: VoiceMessages

    init() { voice = VoiceMessages(device: device, calls: fixture.keeper, clock: fixture.clock) }

    @Test func recordingIsReturnedWithItsTime() async {
        var activities: [VoiceMessages.Activity] = []
        voice.observe(by: fixture) { [voice] _ in activities.append(voice.activity) }
        #expect(voice.record() == nil)
        fixture.clock.advance(by: .milliseconds(2100))
        #expect(await voice.finish() == .recorded([1, 2, 3]))
        #expect(activities == [0, 1, 2].map { .recording(seconds: $0) } + [.idle])
        #expect(device.log == "()")
        #expect(fixture.clock.pending == 0)
    }

    @Test func shortPressRecordsNothing() async {
        _ = voice.record()
        fixture.clock.advance(by: .milliseconds(400))
        #expect(await voice.finish() == .tooShort)
        #expect(await voice.finish() == .nothing)
        #expect(device.log == "(x")
    }

    @Test func discardedRecordingIsNothing() async {
        _ = voice.record()
        fixture.clock.advance(by: .seconds(1))
        voice.stop()
        #expect(await voice.finish() == .nothing)
        #expect(device.log == "(x")
        #expect(fixture.clock.pending == 0)
    }

    @Test func emptyRecordingIsNotSent() async {
        device.setRecorded(nil)
        _ = voice.record()
        fixture.clock.advance(by: .seconds(1))
        #expect(await voice.finish() == .tooShort)
    }

    @Test func lostMicrophoneIsReported() async {
        var reasons: [String] = []
        voice.onInterruption = { reasons.append($0) }
        _ = voice.record()
        fixture.clock.advance(by: .seconds(1))
        device.loseMicrophone()
        while voice.isRecording { await Task.yield() }
        #expect(reasons == ["No microphone is available. Check the sound settings."])
        #expect(await voice.finish() == .nothing)
    }

    @Test func lossOfEarlierRecordingDoesNotEndNextOne() async {
        _ = voice.record()
        voice.stop()
        device.loseMicrophone()
        let other = FakeVoiceDevice()
        let voice = VoiceMessages(device: other, calls: fixture.keeper, clock: fixture.clock)
        _ = voice.record()
        for _ in 0..<20 { await Task.yield() }
        #expect(voice.isRecording)
    }

    @Test func nothingIsRecordedOrPlayedDuringCall() async {
        fixture.talk("555")
        #expect(voice.record() == "The microphone is in use by a call.")
        #expect(await voice.play("/a.ogg", of: 1) == "Voice messages can’t be played during a call.")
        #expect(device.log == "")
    }

    @Test func callEndsRecordingAndSaysSo() async {
        var reasons: [String] = []
        voice.onInterruption = { reasons.append($0) }
        _ = voice.record()
        fixture.clock.advance(by: .seconds(1))
        fixture.talk("555")
        #expect(reasons == ["The recording ended because of a call."])
        #expect(await voice.finish() == .nothing)
        #expect(device.log == "(x")
    }

    @Test func playbackShowsItsTimeAndEnds() async {
        device.setLength(.milliseconds(2400))
        var seen: [Int] = []
        voice.observe(by: fixture) { [voice] _ in
            if let seconds = voice.position(of: 7)?.seconds { seen.append(seconds) }
        }
        #expect(await voice.play("/a.ogg", of: 7) == nil)
        #expect(voice.position(of: 7)?.length == 2)
        #expect(voice.position(of: 8) == nil)
        fixture.clock.advance(by: .milliseconds(2399))
        #expect(voice.activity != .idle)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(voice.activity == .idle)
        #expect(seen == [0, 1, 2])
        #expect(device.log == ">")
        #expect(fixture.clock.pending == 0)
    }

    @Test func nextPlaybackAndRecordingStopPlayback() async {
        _ = await voice.play("/a.ogg", of: 1)
        _ = await voice.play("/b.ogg", of: 2)
        #expect(device.log == ">.>")
        #expect(voice.position(of: 1) == nil)
        _ = voice.record()
        #expect(device.log == ">.>.(")
    }

    @Test func callStopsPlayback() async {
        _ = await voice.play("/a.ogg", of: 1)
        fixture.talk("555")
        #expect(voice.activity == .idle)
        #expect(device.log == ">.")
    }

    @Test func unreadableFileIsReported() async {
        device.setLength(nil)
        #expect(await voice.play("/a.ogg", of: 1) == "This recording can’t be played.")
        #expect(voice.activity == .idle)
    }

    @Test(arguments: [
        ("a.ogg", true), ("b.OPUS", true), ("c.mp3", true), ("d.png", false), ("e.m4a", false), ("ogg", true),
        ("f", false),
    ]) func soundsAreKnownByTheirNames(name: String, isSound: Bool) {
        #expect(SharedFile(received: "https://example.org/\(name)")?.isSound == isSound)
    }
}
