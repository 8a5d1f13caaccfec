// SPDX-License-Identifier: GPL-3.0-or-later

/// The recording of voice messages, and the playback of these and of recorded calls: at most one at a time, and none during a
/// call.
@MainActor
public final class VoiceMessages {
    /// The length below which a recording counts as a press by mistake.
    public static let shortest = Duration.milliseconds(500)
    /// The greatest length of a recording.
    public static let longest = Duration.seconds(600)

    /// The sound that is played.
    public enum Item: Hashable, Sendable {
        /// A file of the message with this id.
        case message(Int64)
        /// A recording of the answering machine or of a call, with this id.
        case recording(Int64)
        /// A greeting of the answering machine.
        case greeting
    }

    /// A sound that plays, or waits where it was paused.
    public struct Playback: Hashable, Sendable {
        public let item: Item
        public let length: Duration
        /// The place in the sound, in whole seconds while it plays.
        public var position: Duration
        public var isPaused: Bool
    }

    public enum Activity: Hashable, Sendable {
        case idle
        /// A recording, with the seconds since its beginning.
        case recording(seconds: Int)
        case playing(Playback)
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

    /// The overviews of the files that can be played.
    public let overviews: SoundOverviews

    private let device: any VoiceDevice
    private let calls: CallManager
    private let clock: any Scheduler
    private let observers = Observers<Activity>()
    private var recording: (any VoiceRecording)?
    private var sound: (any VoicePlayback)?
    /// The search for the place in a sound at which it begins.
    private var search: Task<Swift.Result<VoiceSound, VoiceError>, Never>?
    /// The path of the file that is played.
    private var path = ""
    /// The time at which the recording or the sound would have begun if nothing had been left out.
    private var begin = Duration.zero
    private var timer: (any ScheduledTimer)?
    /// The number of activities: an answer for an earlier one is ignored.
    private var turn = 0

    /// - Parameter calls: The calls, which have precedence.
    public init(device: any VoiceDevice, calls: CallManager, clock: any Scheduler) {
        (self.device, self.calls, self.clock) = (device, calls, clock)
        overviews = SoundOverviews(device: device)
        calls.observe(by: self) { [weak self] _ in self?.callsChanged() }
    }

    /// Calls `body` with the previous activity when it changes, for as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Activity) -> Void) {
        observers.add(owner, body)
    }

    public var isRecording: Bool { recording != nil }

    /// Returns the playback of an item; nil if it is not played.
    public func playback(of item: Item) -> Playback? {
        guard let playback = activity.playback, playback.item == item else { return nil }
        return playback
    }
}

extension VoiceMessages.Activity {
    /// The sound that plays or is paused; nil if there is none.
    public var playback: VoiceMessages.Playback? {
        if case .playing(let playback) = self { playback } else { nil }
    }
}

// MARK: - Recording

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

    private func lost(turn: Int) {
        guard turn == self.turn, isRecording else { return }
        stop()
        onInterruption?(localized("No microphone is available. Check the sound settings."))
    }
}

// MARK: - Playback

extension VoiceMessages {
    /// Plays a sound file from its beginning, or goes on with one that is paused; ends what was played or recorded before.
    ///
    /// - Parameter length: The length of the sound, if it is known.
    /// - Returns: Why it is not played, for the user.
    public func play(_ path: String, of item: Item, length: Duration? = nil) async -> String? {
        if let playback = playback(of: item), playback.isPaused {
            return await play(path, of: item, length: playback.length, from: playback.position)
        }
        return await play(path, of: item, length: length, from: .zero)
    }

    /// Stops the sound where it is, to go on later.
    public func pause() {
        guard var playback = activity.playback, !playback.isPaused else { return }
        playback.position = min(playback.length, max(.zero, clock.now - begin))
        halt()
        playback.isPaused = true
        activity = .playing(playback)
    }

    /// Moves within the sound; one that is paused stays so.
    ///
    /// - Parameter position: The new place, which may be outside of the sound.
    /// - Returns: Why it is not played on, for the user.
    public func move(to position: Duration) async -> String? {
        guard var playback = activity.playback else { return nil }
        playback.position = min(playback.length, max(.zero, position))
        guard !playback.isPaused else {
            activity = .playing(playback)
            return nil
        }
        return await play(path, of: playback.item, length: playback.length, from: playback.position)
    }

    /// Ends the recording without a result, or the playback.
    public func stop() {
        recording?.discard()
        recording = nil
        end()
    }

    private func play(_ path: String, of item: Item, length: Duration?, from position: Duration) async
        -> String?
    {
        guard !calls.hasLiveCall else { return localized("Recordings can’t be played during a call.") }
        guard !isRecording else { return nil }
        halt()
        let turn = turn
        self.path = path
        let known = length ?? overviews.overview(of: path)?.length
        let search = begin(path, from: position, turn: turn)
        self.search = search
        switch await search.value {
        case .success(let sound):
            guard turn == self.turn, !calls.hasLiveCall else {
                sound.playback.stop()
                return nil
            }
            self.sound = sound.playback
            begin = clock.now - position
            let whole = known ?? sound.length
            activity = .playing(.init(item: item, length: whole, position: position, isPaused: false))
            tick()
            return nil
        case .failure(let error):
            // A search that was given up has no result that anybody waits for.
            guard turn == self.turn else { return nil }
            end()
            return error == .unreadable
                ? localized("This recording can’t be played.")
                : localized("Too many sounds are playing. Try again later.")
        }
    }

    private func begin(_ path: String, from position: Duration, turn: Int)
        -> Task<Swift.Result<VoiceSound, VoiceError>, Never>
    {
        Task { [device, weak self] in
            do throws(VoiceError) {
                return .success(
                    try await device.play(file: path, from: position) {
                        Task { @MainActor in self?.ended(turn: turn) }
                    })
            } catch {
                return .failure(error)
            }
        }
    }

    private func ended(turn: Int) {
        if turn == self.turn { end() }
    }
}

extension VoiceMessages {
    /// Ends the sound, but not what is shown of it.
    private func halt() {
        turn += 1
        search?.cancel()
        search = nil
        sound?.stop()
        sound = nil
        timer?.cancel()
        timer = nil
    }

    private func end() {
        halt()
        activity = .idle
    }

    private func callsChanged() {
        guard activity != .idle, calls.hasLiveCall else { return }
        guard isRecording else { return pause() }
        stop()
        onInterruption?(localized("The recording ended because of a call."))
    }

    /// Updates the seconds, and sets the timer for the next one.
    private func tick() {
        timer = nil
        let elapsed = clock.now - begin
        let seconds = max(0, Int(elapsed.components.seconds))
        var next = begin + .seconds(seconds + 1)
        switch activity {
        case .idle: return
        case .recording: activity = .recording(seconds: seconds)
        case .playing(var playback):
            // The sound says when it ends; without a device, nobody hears it.
            let end = begin + playback.length
            guard clock.now < end + Self.patience else { return self.end() }
            let isAtEnd = clock.now >= end
            playback.position = isAtEnd ? playback.length : .seconds(seconds)
            activity = .playing(playback)
            next = isAtEnd ? end + Self.patience : min(next, end)
        }
        timer = clock.schedule(after: max(.milliseconds(1), next - clock.now)) { [weak self] in self?.tick() }
    }

    /// The time by which a sound may be late.
    private static let patience = Duration.seconds(1)
}
