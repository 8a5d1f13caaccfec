// SPDX-License-Identifier: GPL-3.0-or-later

/// A sound of a conversation on the practice exchange, for its recordings.
public enum ExchangeSound: Hashable, Sendable {
    /// The sample rate of recordings, in hertz.
    public static let rate = 16_000

    /// The far end plays a cadence, from a time after its beginning.
    case cadence(Cadence, from: Duration)
    /// The far end plays what the user says.
    case echo(EchoSound)
}

/// A recording of both sides of a conversation.
@MainActor
public protocol ExchangeRecording: AnyObject {
    /// Whether the file cannot be written any further.
    var hasFailed: Bool { get }

    /// Records the sounds of the next part, of this number of samples.
    ///
    /// - Parameter tone: The time since both sides were first told by a tone; nil for no tones.
    func add(_ count: Int, of sounds: [ExchangeSound], tone: Duration?)

    /// Ends the recording, once it is written; its end is `.failed`, or nil.
    func finish() async -> RecordingResult
}

/// The conversation on the practice exchange, and its recordings: all calls that are not on hold are in it.
///
/// Its time passes in steps while it is recorded. A change of what is heard is a step, too.
@MainActor
final class PracticeConversation {
    /// The time that is recorded at once: the recorder has a page for each half second.
    static let step = Duration.milliseconds(200)
    /// The longest part, in samples: a phone that was busy for longer leaves a gap.
    private static let longest = 5 * ExchangeSound.rate

    private struct Member {
        weak var call: PracticeCall?
    }

    private let clock: any Scheduler
    private let sounds: any SoundOutput
    private var members: [Member] = []
    /// The time of the first sample, and the samples since.
    private var begin = Duration.zero
    private var count = 0
    private var timer: (any ScheduledTimer)?
    /// The tones that tell the user of the recording, and the time of the first.
    private var tones: (sound: PlayedSound, since: Duration)?

    init(clock: any Scheduler, sounds: any SoundOutput) { (self.clock, self.sounds) = (clock, sounds) }

    private var heard: [PracticeCall] { members.compactMap(\.call).filter(\.isHeard) }

    func add(_ call: PracticeCall) { members.append(Member(call: call)) }

    func remove(_ call: PracticeCall) { members.removeAll { $0.call == nil || $0.call === call } }

    /// Changes what is heard, or what is recorded.
    func change(_ body: () -> Void) {
        advance()
        body()
        follow()
    }

    /// Records what was heard until now.
    private func advance() {
        guard timer != nil else { return }
        var passed = Int((clock.now - begin) / .seconds(1) * Double(ExchangeSound.rate)) - count
        guard passed > 0 else { return }
        if passed > Self.longest { passed = Self.longest }
        let time = begin + Self.length(count)
        count += passed
        if clock.now - begin - Self.length(count) > .milliseconds(1) { (begin, count) = (clock.now, 0) }
        let heard = heard
        let sounds = heard.flatMap { $0.takeSounds(at: time, count: passed) }
        for recording in heard.compactMap(\.recording) {
            let since = recording.hasTones ? tones.map { max(.zero, time - $0.since) } : nil
            recording.sound.add(passed, of: sounds, tone: since)
        }
    }

    private static func length(_ count: Int) -> Duration {
        .seconds(1) * count / ExchangeSound.rate
    }

    /// Begins and ends what a recording needs: the steps, the tones, and what the echoes hear.
    private func follow() {
        let heard = heard
        let isRecorded = heard.contains { $0.recording != nil }
        for call in heard { call.keepEcho(isRecorded) }
        let hasTones = heard.contains { $0.recording?.hasTones == true }
        if hasTones, tones == nil {
            tones = (sounds.play(.cadence(ExchangeSounds.recording), on: .tones), clock.now)
        } else if !hasTones, let tones {
            sounds.stop(tones.sound)
            self.tones = nil
        }
        if isRecorded, timer == nil {
            (begin, count) = (clock.now, 0)
            wait()
        } else if !isRecorded {
            timer?.cancel()
            timer = nil
        }
    }

    private func wait() {
        timer = clock.schedule(after: Self.step) { [weak self] in
            guard let self else { return }
            advance()
            wait()
            for call in members.compactMap(\.call) where call.recording?.sound.hasFailed == true {
                call.endRecording(.failed)
            }
        }
    }
}
