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
        #expect(await voice.play("/a.ogg", of: .message(1)) == "Recordings can’t be played during a call.")
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

    @Test func playbackShowsItsTimeAndEndsWithSound() async {
        device.setLength(.milliseconds(2400))
        var seen: [Duration] = []
        voice.observe(by: fixture) { [voice] _ in
            if let playback = voice.playback(of: .message(7)) { seen.append(playback.position) }
        }
        #expect(await voice.play("/a.ogg", of: .message(7)) == nil)
        #expect(voice.playback(of: .message(7))?.length == .milliseconds(2400))
        #expect(voice.playback(of: .message(8)) == nil)
        #expect(voice.playback(of: .recording(7)) == nil)
        fixture.clock.advance(by: .milliseconds(2450))
        #expect(voice.activity != .idle)
        device.end()
        while voice.activity != .idle { await Task.yield() }
        #expect(seen == [.zero, .seconds(1), .seconds(2), .milliseconds(2400)])
        #expect(device.log == ">.")
        #expect(fixture.clock.pending == 0)
    }

    @Test func soundThatNobodyTakesEndsByClock() async {
        device.setLength(.milliseconds(2400))
        #expect(await voice.play("/a.ogg", of: .message(7)) == nil)
        fixture.clock.advance(by: .milliseconds(3399))
        #expect(voice.activity != .idle)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(voice.activity == .idle)
        #expect(fixture.clock.pending == 0)
    }

    @Test func endOfEarlierSoundDoesNotEndNextOne() async {
        _ = await voice.play("/a.ogg", of: .message(1))
        let first = device.takeEnd()
        _ = await voice.play("/b.ogg", of: .message(2))
        first?()
        for _ in 0..<20 { await Task.yield() }
        #expect(voice.playback(of: .message(2)) != nil)
    }

    @Test func pausedSoundGoesOnWhereItWas() async {
        device.setLength(.seconds(60))
        _ = await voice.play("/a.ogg", of: .message(1))
        fixture.clock.advance(by: .milliseconds(5300))
        voice.pause()
        #expect(voice.playback(of: .message(1))?.position == .milliseconds(5300))
        #expect(voice.playback(of: .message(1))?.isPaused == true)
        #expect(fixture.clock.pending == 0, "a paused sound wakes nothing")
        fixture.clock.advance(by: .seconds(600))
        _ = await voice.play("/a.ogg", of: .message(1))
        #expect(voice.playback(of: .message(1))?.position == .seconds(5))
        #expect(device.log == ">.>5")
        fixture.clock.advance(by: .milliseconds(700))
        #expect(voice.playback(of: .message(1))?.position == .seconds(6))
    }

    @Test(arguments: [(-5, 0), (0, 0), (30, 30), (60, 60), (1000, 60)])
    func positionIsMoved(wanted: Int, reached: Int) async {
        device.setLength(.seconds(60))
        _ = await voice.play("/a.ogg", of: .message(1))
        #expect(await voice.move(to: .seconds(wanted)) == nil)
        #expect(voice.playback(of: .message(1))?.position == .seconds(reached))
        #expect(device.log == (reached == 0 ? ">.>" : ">.>\(reached)"))
        voice.pause()
        #expect(await voice.move(to: .seconds(7)) == nil)
        #expect(voice.playback(of: .message(1))?.position == .seconds(7))
        #expect(voice.playback(of: .message(1))?.isPaused == true, "moving does not play")
    }

    @Test func nothingMovesWhileNothingPlays() async {
        #expect(await voice.move(to: .seconds(3)) == nil)
        voice.pause()
        #expect(voice.activity == .idle)
        #expect(device.log == "")
    }

    @Test func nextPlaybackAndRecordingStopPlayback() async {
        _ = await voice.play("/a.ogg", of: .message(1))
        _ = await voice.play("/b.ogg", of: .recording(1))
        #expect(device.log == ">.>")
        #expect(voice.playback(of: .message(1)) == nil)
        #expect(voice.playback(of: .recording(1)) != nil)
        _ = voice.record()
        #expect(device.log == ">.>.(")
    }

    /// The search for a place in a long file takes a while, and ends when the user moves on.
    @Test func searchThatNobodyWaitsForIsGivenUp() async {
        for end in 0..<3 {
            device.setSearches(true)
            let search = Task { await voice.play("/a.opus", of: .recording(1)) }
            while !device.log.hasSuffix(">") { await Task.yield() }
            device.setSearches(false)
            switch end {
            case 0: voice.stop()
            case 1: #expect(await voice.play("/b.opus", of: .recording(2)) == nil)
            default: _ = voice.record()
            }
            #expect(await search.value == nil, "nobody is told of it")
            #expect(device.log.contains("!"))
            #expect(voice.playback(of: .recording(1)) == nil)
            voice.stop()
        }
        #expect(fixture.clock.pending == 0)
    }

    @Test func callPausesPlayback() async {
        device.setLength(.seconds(60))
        _ = await voice.play("/a.ogg", of: .message(1))
        fixture.clock.advance(by: .seconds(3))
        fixture.talk("555")
        #expect(voice.playback(of: .message(1))?.isPaused == true)
        #expect(voice.playback(of: .message(1))?.position == .seconds(3))
        #expect(device.log == ">.")
        #expect(await voice.play("/a.ogg", of: .message(1)) == "Recordings can’t be played during a call.")
        #expect(voice.playback(of: .message(1))?.isPaused == true, "it can be played on after the call")
    }

    @Test func filesAreMeasuredOnceAndRemembered() async {
        device.setLength(.seconds(4))
        var measured: [String] = []
        voice.overviews.observe(by: fixture) { measured.append($0) }
        for _ in 0..<3 { #expect(voice.overviews.overview(of: "/a.ogg") == nil) }
        while measured.isEmpty { await Task.yield() }
        #expect(voice.overviews.overview(of: "/a.ogg")?.length == .seconds(4))
        device.setLength(nil)
        #expect(voice.overviews.overview(of: "/b.ogg") == nil)
        while measured.count < 2 { await Task.yield() }
        #expect(voice.overviews.overview(of: "/b.ogg") == nil)
        #expect(voice.overviews.overview(of: "/a.ogg")?.length == .seconds(4))
        for _ in 0..<20 { await Task.yield() }
        #expect(measured == ["/a.ogg", "/b.ogg"], "an unreadable file is not read again")
    }

    @Test func oldestOverviewsAreForgotten() async {
        var count = 0
        voice.overviews.observe(by: fixture) { _ in count += 1 }
        for number in 0...SoundOverviews.capacity {
            _ = voice.overviews.overview(of: "/\(number).ogg")
            while count <= number { await Task.yield() }
        }
        #expect(voice.overviews.overview(of: "/1.ogg") != nil)
        #expect(voice.overviews.overview(of: "/0.ogg") == nil)
    }

    @Test func unreadableFileIsReported() async {
        device.setLength(nil)
        #expect(await voice.play("/a.ogg", of: .message(1)) == "This recording can’t be played.")
        #expect(voice.activity == .idle)
    }

    @Test(arguments: [
        ("a.ogg", true), ("b.OPUS", true), ("c.mp3", true), ("d.png", false), ("e.m4a", false), ("ogg", true),
        ("f", false),
    ]) func soundsAreKnownByTheirNames(name: String, isSound: Bool) {
        #expect(SharedFile(received: "https://example.org/\(name)")?.isSound == isSound)
    }
}
