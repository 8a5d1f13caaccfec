// SPDX-License-Identifier: GPL-3.0-or-later

public import SIPMessages
public import TouchtoneCore

extension MachineAnswer {
    /// The commands with their files that let the machine have a call, before it is answered.
    public var commands: [(command: SIPCallCommand, file: OpenFile)] {
        [
            (.setGreeting, greeting),
            (.useMachine(limit: Int(limit.components.seconds), isAloud: isAloud), recording),
        ]
    }
}

extension CallEvent {
    /// The end of a recording, as the engine reports it.
    public init(_ recorded: SIPRecorded) {
        self = .recorded(
            seconds: recorded.seconds, RecordingEnd(recorded.end), isSilent: recorded.isSilent)
    }
}

extension RecordingEnd {
    fileprivate init(_ end: SIPRecorded.End) {
        self =
            switch end {
            case .key: .key
            case .silence: .silence
            case .limit: .limit
            case .ended: .ended
            case .stopped: .stopped
            case .failed: .failed
            }
    }
}
