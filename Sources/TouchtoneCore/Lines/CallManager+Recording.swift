// SPDX-License-Identifier: GPL-3.0-or-later

// The recordings of calls, by the machine or with REC.
extension CallManager {
    /// The time for which a line may report the end of a recording after the end of its call.
    static let recordingReport = Duration.seconds(3)

    /// Whether the current call can be recorded now, or is.
    public var canRecord: Bool {
        guard let current, recorder != nil else { return false }
        return current.isRecorded
            || (current.features.contains(.recording) && current.state.isConversation
                && !current.hasRecording)
    }

    /// Begins or ends the recording of the current call.
    ///
    /// - Returns: False if nothing can be recorded now.
    @discardableResult
    public func setRecorded(_ isRecorded: Bool) -> Bool {
        guard let current, canRecord, let lineCall = lineCalls[current.id] else { return false }
        guard current.isRecorded != isRecorded else { return true }
        guard isRecorded else {
            // The line reports the end.
            changing { update(current.id) { $0.isRecorded = false } }
            lineCall.stopRecording()
            return true
        }
        guard let file = recorder?.beginRecording(of: current, at: clock.now) else { return false }
        changing { update(current.id) { ($0.isRecorded, $0.hasRecording) = (true, true) } }
        lineCall.record(to: file, withTone: machineRules.hasRecordingTone)
        return true
    }

    func handleRecording(_ event: CallEvent, of id: Call.ID) {
        switch event {
        case .machineRecords: update(id) { $0.isMessageBegun = true }
        case .recorded(let seconds, let end, let isSilent):
            guard calls.contains(where: { $0.id == id && $0.hasRecording }) else { return }
            update(id) { ($0.isRecorded, $0.hasRecording) = (false, false) }
            recorder?.endRecording(of: id, RecordingResult(seconds: seconds, end: end, isSilent: isSilent))
        default: break
        }
    }

    /// Receives no event of a call that has ended, except the end of its recording.
    func leave(_ call: Call, _ lineCall: any LineCall) {
        lineCall.onEvent = nil
        guard call.hasRecording else { return }
        let id = call.id
        let timer = clock.schedule(after: Self.recordingReport) { [weak self] in
            self?.endings[id] = nil
            lineCall.onEvent = nil
            self?.recorder?.endRecording(
                of: id,
                RecordingResult(seconds: nil, end: nil, isSilent: !call.isRecorded && !call.isMessageBegun))
        }
        endings[id] = timer
        lineCall.onEvent = { [weak self, weak lineCall] event in
            guard let self, case .recorded(let seconds, let end, let isSilent) = event else { return }
            endings.removeValue(forKey: id)?.cancel()
            lineCall?.onEvent = nil
            recorder?.endRecording(of: id, RecordingResult(seconds: seconds, end: end, isSilent: isSilent))
        }
    }
}
