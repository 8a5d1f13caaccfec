// SPDX-License-Identifier: GPL-3.0-or-later

/// The recording and the playback of voice messages: at most one of them at a time, and none during a call.
@MainActor
public final class VoiceMessages {
    /// The length below which a recording counts as a press by mistake.
    public static let shortest = Duration.milliseconds(500)
    /// The greatest length of a recording.
    public static let longest = Duration.seconds(600)

    public enum Activity: Hashable, Sendable {
        case idle
        /// A recording, with the seconds since its beginning.
        case recording(seconds: Int)
        /// The playback of a message, with the seconds since its beginning and its length in seconds.
        case playing(message: Int64, seconds: Int, length: Int)
    }

    public enum Result: Hashable, Sendable {
        /// The recording as Ogg Opus.
        case recorded([UInt8])
        case tooShort
        /// There is no recording: it was discarded.
        case nothing
    }

    public private(set) var activity = Activity.idle {
        didSet { if activity != oldValue { observers.notify(oldValue) } }
    }

    /// Called with the reason, for the user, when a recording ends that the user has not ended.
    public var onInterruption: (@MainActor (String) -> Void)?

    private let device: any VoiceDevice
    private let calls: CallManager
    private let clock: any Scheduler
    private let observers = Observers<Activity>()
    private var recording: (any VoiceRecording)?
    private var sound: VoiceSound?
    private var begin = Duration.zero
    private var timer: (any ScheduledTimer)?
    /// The number of activities: an answer for an earlier one is ignored.
    private var turn = 0

    /// - Parameter calls: The calls, which have precedence.
    public init(device: any VoiceDevice, calls: CallManager, clock: any Scheduler) {
        (self.device, self.calls, self.clock) = (device, calls, clock)
        calls.observe(by: self) { [weak self] _ in self?.callsChanged() }
    }

    /// Calls `body` with the previous activity when it changes, for as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Activity) -> Void) {
        observers.add(owner, body)
    }

    public var isRecording: Bool { recording != nil }

    /// Returns the seconds of a message's playback and its length; nil if it is not played.
    public func position(of message: Int64) -> (seconds: Int, length: Int)? {
        guard case .playing(message, let seconds, let length) = activity else { return nil }
        return (seconds, length)
    }
}

// MARK: - Actions of the user

extension VoiceMessages {
    /// Begins to record, in place of the playback; returns why nothing is recorded, for the user.
    public func record() -> String? {
        guard !calls.hasLiveCall else { return localized("The microphone is in use by a call.") }
        stop()
        let turn = turn
        recording = device.record { [weak self] in
            Task { @MainActor in self?.lost(turn: turn) }
        }
        begin = clock.now
        activity = .recording(seconds: 0)
        tick()
        return nil
    }

    public func finish() async -> Result {
        guard let recording else { return .nothing }
        let length = clock.now - begin
        self.recording = nil
        end()
        guard length >= Self.shortest else {
            recording.discard()
            return .tooShort
        }
        return await recording.finish().map { .recorded($0) } ?? .tooShort
    }

    /// Plays a message's sound file, in place of another; returns the reason why not, for the user.
    public func play(_ path: String, of message: Int64) async -> String? {
        guard !calls.hasLiveCall else { return localized("Voice messages can’t be played during a call.") }
        guard !isRecording else { return nil }
        stop()
        let turn = turn
        do throws(VoiceError) {
            let sound = try await device.play(file: path)
            guard turn == self.turn, !calls.hasLiveCall else {
                device.stop(sound.sound)
                return nil
            }
            self.sound = sound
            begin = clock.now
            activity = .playing(message: message, seconds: 0, length: Self.seconds(sound.length))
            tick()
            return nil
        } catch .unreadable {
            return localized("This recording can’t be played.")
        } catch {
            return localized("Too many sounds are playing. Try again later.")
        }
    }

    /// Ends the recording without a result, or the playback.
    public func stop() {
        recording?.discard()
        if let sound { device.stop(sound.sound) }
        (recording, sound) = (nil, nil)
        end()
    }
}

extension VoiceMessages {
    private func end() {
        turn += 1
        timer?.cancel()
        timer = nil
        activity = .idle
    }

    private func callsChanged() {
        guard activity != .idle, calls.hasLiveCall else { return }
        let wasRecording = isRecording
        stop()
        if wasRecording { onInterruption?(localized("The recording ended because of a call.")) }
    }

    private func lost(turn: Int) {
        guard turn == self.turn, isRecording else { return }
        stop()
        onInterruption?(localized("No microphone is available. Check the sound settings."))
    }

    /// Updates the seconds, and sets the timer for the next one.
    private func tick() {
        timer = nil
        let elapsed = clock.now - begin
        let seconds = Int(elapsed.components.seconds)
        switch activity {
        case .idle: return
        case .recording: activity = .recording(seconds: seconds)
        case .playing(let message, _, let length):
            guard let sound, elapsed < sound.length else {
                sound = nil
                return end()
            }
            activity = .playing(message: message, seconds: seconds, length: length)
        }
        var next = begin + .seconds(seconds + 1)
        if let sound { next = min(next, begin + sound.length) }
        timer = clock.schedule(after: max(.milliseconds(1), next - clock.now)) { [weak self] in self?.tick() }
    }

    /// Returns a length in whole seconds, at least one.
    private static func seconds(_ length: Duration) -> Int {
        max(1, Int((length / .seconds(1)).rounded()))
    }
}
