// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The keys that wait to be sent by a phone, which sends one after the other.
@MainActor
final class ToneQueue {
    private let control: any PhoneControl
    private var waiting: [(key: Character, call: MobileCall)] = []
    private var isSending = false
    private var areRefused = false

    /// The greatest number of keys that wait; those pressed beyond it are lost.
    static let capacity = 64

    init(_ control: any PhoneControl) { self.control = control }

    func send(_ key: Character, in call: MobileCall) {
        guard waiting.count < Self.capacity else { return }
        waiting.append((key, call))
        proceed()
    }

    private func proceed() {
        guard !isSending, !waiting.isEmpty else { return }
        let (key, call) = waiting.removeFirst()
        // The call that is heard now is another one.
        guard !call.hasEnded else { return proceed() }
        isSending = true
        control.perform(.sendTone(key)) { [weak self] result in self?.answered(result, in: call) }
    }

    private func answered(_ result: Result<String?, PhoneRefusal>, in call: MobileCall) {
        isSending = false
        if case .failure = result {
            waiting = []
            call.report(.keysRefused(true))
            areRefused = true
        } else if areRefused {
            areRefused = false
            call.report(.keysRefused(false))
        }
        proceed()
    }
}
