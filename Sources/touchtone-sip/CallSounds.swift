// SPDX-License-Identifier: GPL-3.0-or-later

import CSIPShims
import HelperMessages
import RecordedSound
import SIPMessages

/// The answering machine and the recordings of calls, and their ends, which a call waits for.
final class CallSounds {
    /// The machine of a call, possibly one that liblinphone does not have yet.
    struct Machine {
        let machine: AnsweringMachine
        let tap: SoundTap
        /// Whether the phone knows that the message is being recorded.
        var isRecording = false
    }

    /// The recording of both sides of a call.
    struct Recording {
        let recording: CallRecording
        let tap: SoundTap
    }

    /// A recording that ends.
    private struct Ending {
        let call: SIPCallID
        let recorder: Recorder
        let end: SIPRecorded.End
        let limit = Instant.now.advanced(by: CallSounds.longestEnd)
    }

    /// The longest time for the end of a file, in milliseconds: its disk may not answer.
    private static let longestEnd = 2_000
    /// The most greetings of calls that are not answered yet.
    private static let mostGreetings = 20

    private var greetings: [SIPCallID: PassedDescriptor] = [:]
    /// The calls that the machine was to have and cannot.
    private var refused: Set<SIPCallID> = []
    private(set) var machines: [SIPCallID: Machine] = [:]
    private(set) var recordings: [SIPCallID: Recording] = [:]
    private var endings: [Ending] = []
    /// The ends of calls whose recordings end.
    private var ends: [SIPCallID: SIPEnd] = [:]
    private let send: (SIPCallEvent, SIPCallID) -> Void

    init(send: @escaping (SIPCallEvent, SIPCallID) -> Void) { self.send = send }

    var isEmpty: Bool { machines.isEmpty && recordings.isEmpty && endings.isEmpty }

    func setGreeting(_ file: PassedDescriptor?, of id: SIPCallID) {
        if greetings.count < Self.mostGreetings { greetings[id] = file }
    }

    /// Lets the machine have a call that is about to be answered.
    func useMachine(_ file: PassedDescriptor?, limit: Int, isAloud: Bool, for id: SIPCallID) {
        let greeting = greetings.removeValue(forKey: id)
        guard machines[id] == nil, machines.count < Self.mostGreetings, let file,
            let machine = AnsweringMachine(
                greeting: greeting, recording: file, limit: limit, isAloud: isAloud)
        else {
            refused.insert(id)
            return send(.recorded(SIPRecorded(.failed, seconds: 0, isSilent: true)), id)
        }
        machines[id] = Machine(machine: machine, tap: SoundTap(machine))
        share()
    }

    /// Whether a call must not be answered, as the machine was to have it: the far end would hear the room.
    func isRefused(_ id: SIPCallID) -> Bool { refused.contains(id) }

    /// Begins to record both sides of a call.
    func record(_ file: PassedDescriptor?, withTone: Bool, of id: SIPCallID) {
        guard recordings[id] == nil, let file, let recording = CallRecording(file: file, withTone: withTone)
        else { return send(.recorded(SIPRecorded(.failed, seconds: 0, isSilent: true)), id) }
        recordings[id] = Recording(recording: recording, tap: SoundTap(recording))
    }

    /// Ends what the machine does in a call.
    func endMachine(of id: SIPCallID, _ end: SIPRecorded.End) {
        greetings[id] = nil
        guard let machine = machines.removeValue(forKey: id) else { return }
        share()
        let reason = end == .ended ? machine.machine.end ?? end : end
        endings.append(Ending(call: id, recorder: machine.machine.finish(), end: reason))
    }

    func endRecording(of id: SIPCallID, _ end: SIPRecorded.End) {
        guard let recording = recordings.removeValue(forKey: id) else { return }
        endings.append(Ending(call: id, recorder: recording.recording.finish(), end: end))
    }

    /// Tells the end of a call, after that of its recordings.
    func end(_ id: SIPCallID, _ end: SIPEnd) {
        refused.remove(id)
        endMachine(of: id, .ended)
        endRecording(of: id, .ended)
        if endings.contains(where: { $0.call == id }) { ends[id] = end } else { send(.ended(end), id) }
    }

    /// Ends what was prepared for a call that there is not.
    func forget(_ id: SIPCallID) {
        greetings[id] = nil
        refused.remove(id)
        if machines.removeValue(forKey: id) != nil { share() }
    }

    /// Notes that the phone knows that the message is being recorded.
    func setRecording(_ id: SIPCallID) { machines[id]?.isRecording = true }

    /// Tells what has become of recordings that have ended.
    func work() {
        var rest: [Ending] = []
        for ending in endings {
            let isLate = ending.limit <= Instant.now
            guard let outcome = ending.recorder.outcome ?? (isLate ? .lost : nil) else {
                rest.append(ending)
                continue
            }
            let end = outcome.hasFailed ? .failed : ending.end
            send(
                .recorded(SIPRecorded(end, seconds: outcome.seconds, isSilent: outcome.isSilent)), ending.call
            )
        }
        endings = rest
        for (id, end) in ends where !rest.contains(where: { $0.call == id }) {
            ends[id] = nil
            send(.ended(end), id)
        }
    }

    /// Lets calls of the user and of the machine have sound at the same time.
    private func share() { sipshims_share_sound(!machines.isEmpty) }
}

extension Recorder.Outcome {
    /// That of a file whose disk does not answer.
    fileprivate static let lost = Recorder.Outcome(seconds: 0, isSilent: false, hasFailed: true)
}
