// SPDX-License-Identifier: GPL-3.0-or-later

// The keys that are sent to the calls that are heard.

extension CallManager {
    /// Sends a key to the calls that are heard, until `releaseKey()` or the next key; a far end that holds
    /// its call never receives it.
    public func press(_ key: DTMFKey) {
        guard let activeCall, activeCall.state.takesKeys else { return }
        isKeyHeld = true
        changing {
            for call in calls where call.receivesKeys {
                update(call.id) { $0.recordSent(key) }
                lineCalls[call.id]?.press(key)
            }
        }
    }

    /// Ends the key that is being sent, if any.
    public func releaseKey() {
        guard isKeyHeld else { return }
        isKeyHeld = false
        for call in lineCalls.values { call.releaseKey() }
    }

    /// Sends the digits that wait for the user's confirmation.
    public func sendPostDialDigits() {
        guard let activeCall, activeCall.postDialDigits.waits else { return }
        changing { update(activeCall.id) { $0.postDialDigits.resume(at: clock.now) } }
    }

    /// Sends the next digit of a call whose time has come.
    func sendDue(of call: Call, _ now: Duration) {
        var key: DTMFKey?
        update(call.id) { key = $0.postDialDigits.take(at: now) }
        guard let key else { return }
        sounds.play(key)
        update(call.id) { $0.recordSent(key) }
        lineCalls[call.id]?.send(key)
    }
}
