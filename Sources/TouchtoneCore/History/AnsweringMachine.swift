// SPDX-License-Identifier: GPL-3.0-or-later

/// The answering machine: whether it is on, what it says, and what becomes of what is recorded.
///
/// `CallManager` decides which calls it takes, and when.
@MainActor
public final class AnsweringMachine {
    /// The space that a recording leaves on the disk, and the one below which the machine does not answer.
    public static let minimumFree: Int64 = 20_000_000

    public let recordings: Recordings

    /// Whether the machine answers; a change by the user is saved.
    public var isOn: Bool {
        get { calls.machineRules.isOn }
        set {
            guard newValue != isOn else { return }
            rules.isOn = newValue
            save?(newValue)
        }
    }

    /// Saves whether the machine is on; nil if that cannot be changed.
    public var save: (@MainActor (Bool) -> Void)?

    /// When the machine takes calls, and how.
    public var rules: MachineRules {
        get { calls.machineRules }
        set {
            guard newValue != calls.machineRules else { return }
            calls.machineRules = newValue
            if !newValue.isOn { problem = nil }
            observers.notify(())
        }
    }

    /// Whether a caller hears the greeting, or leaves a message.
    public var isAnswering: Bool { calls.onMachine != nil }

    /// Whether a message, or a call, is being recorded.
    public var isRecording: Bool {
        calls.calls.contains { $0.isRecorded || ($0.state == .machine && $0.isMessageBegun) }
    }

    /// Why the machine did not take the last call; nil if it works.
    public private(set) var problem: RecordingFailure? {
        didSet { if problem != oldValue { observers.notify(()) } }
    }

    /// Opens the greeting for reading; nil if it cannot be read.
    public var openGreeting: (@MainActor () -> OpenFile?)?

    private let calls: CallManager
    private let history: CallHistory
    private let wall: any WallClock
    private let observers = Observers<Void>()
    /// The names and kinds of the recordings that run.
    private var running: [Call.ID: (name: String, kind: Recording.Kind)] = [:]
    private var lastName = 0

    public init(recordings: Recordings, calls: CallManager, history: CallHistory, wall: any WallClock) {
        (self.recordings, self.calls, self.history, self.wall) = (recordings, calls, history, wall)
        calls.recorder = self
        recordings.observe(by: self) { [weak self] in if $0 == .all { self?.recordingsChanged() } }
    }

    private func recordingsChanged() {
        // The user has made room.
        if problem == .tooManyUnheard, !recordings.isFull { problem = nil }
    }

    /// Calls `body` when the rules or the problem change.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
    }

    private func begin(_ kind: Recording.Kind, of call: Call, at now: Duration) throws(RecordingFailure)
        -> OpenFile
    {
        guard !recordings.isFull else { throw .tooManyUnheard }
        lastName += 1
        let name = "\(wall.now.milliseconds)-\(lastName).opus"
        let file = try recordings.folder.create(name)
        running[call.id] = (name, kind)
        recordings.store.begin(name, kind, of: history.keep(call, at: now)) { [weak self] result in
            guard let self, case .failure(let error) = result else { return }
            history.note(error)
            // The file goes on until the end of the recording, but nobody would find it.
            recordings.folder.remove(name)
            problem = .failed("")
        }
        return file
    }

    /// Prepares a recording, and notes why that is not possible.
    private func trying<Value>(_ body: () throws(RecordingFailure) -> Value) -> Value? {
        do throws(RecordingFailure) {
            let value = try body()
            problem = nil
            return value
        } catch {
            problem = error
            return nil
        }
    }
}

extension AnsweringMachine: CallRecorder {
    public func beginMessage(of call: Call, at now: Duration, isAloud: Bool) -> MachineAnswer? {
        trying { () throws(RecordingFailure) in
            guard let greeting = openGreeting?() else { throw .noGreeting }
            return MachineAnswer(
                greeting: greeting, recording: try begin(.message, of: call, at: now), limit: rules.limit,
                isAloud: isAloud)
        }
    }

    public func beginRecording(of call: Call, at now: Duration) -> OpenFile? {
        trying { () throws(RecordingFailure) in try begin(.call, of: call, at: now) }
    }

    public func endRecording(of call: Call.ID, _ result: RecordingResult) {
        guard let (name, kind) = running.removeValue(forKey: call) else { return }
        // The user has heard a call of their own, and what was recorded before they took the call over.
        let isTakenOver = calls.calls.contains { $0.id == call && $0.state != .machine }
        let outcome: RecordingOutcome =
            result.isSilent
            ? .nothing
            : .kept(length: result.seconds.map { .seconds($0) }, isHeard: kind == .call || isTakenOver)
        if result.end == .failed { problem = .failed("") }
        recordings.store.end(name, outcome) { [weak self] in
            self?.recordings.note($0)
            self?.recordings.trim()
        }
    }
}
