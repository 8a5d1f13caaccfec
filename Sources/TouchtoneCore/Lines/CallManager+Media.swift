// SPDX-License-Identifier: GPL-3.0-or-later

// The microphone, the loudspeaker, the bell and the quality of calls.

extension CallManager {
    /// Mutes or unmutes the microphone in the current call and in the calls joined with it.
    public func setMuted(_ isMuted: Bool) {
        guard let current, current.canMute, current.state != .refused else { return }
        changing {
            for call in calls where call.id == current.id || call.state == .joined {
                update(call.id) { $0.isMuted = isMuted }
                lineCalls[call.id]?.setMuted(isMuted)
            }
        }
    }

    /// Plays the calls, if there is a current one, on the device with that name; nil is that for tones.
    public func setSpeaker(_ device: String?) {
        guard current?.canMute == true else { return }
        changing { for call in calls { update(call.id) { $0.speaker = device } } }
    }

    /// Requests the quality of the call that is heard, if it is to be measured.
    func measure() {
        guard measuresQuality, let activeCall, activeCall.state.isConversation,
            activeCall.features.contains(.quality)
        else {
            return
        }
        lineCalls[activeCall.id]?.measure()
    }
}
