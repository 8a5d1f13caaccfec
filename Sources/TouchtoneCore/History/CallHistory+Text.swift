// SPDX-License-Identifier: GPL-3.0-or-later

// The real-time text of calls, which is kept line by line while they go on.
extension CallHistory {
    /// Keeps the lines that have ended in calls that go on.
    public func follow(_ manager: CallManager) {
        guard keepsText else { return }
        for call in manager.calls where texts[call.id] != nil || !call.text.lines.isEmpty {
            keep(call, textCall(call, at: manager.clock.now))
        }
    }

    /// Returns the text of an entry; nil if it cannot be read.
    public func text(of id: Int64) async -> KeptCallText? {
        do throws(StoreError) {
            return try await store.text(of: id)
        } catch {
            note(error)
            return nil
        }
    }

    /// Lets a call that goes on have a row at its end, to which recordings belong.
    func keep(_ call: Call, at time: Duration) -> TextCall {
        let kept = recorded[call.id] ?? textCall(call, at: time)
        recorded[call.id] = kept
        return kept
    }

    /// Keeps the rest of the text of a call that has ended; returns the call if there is any, or a recording.
    func endKept(of call: Call, at time: Duration) -> TextCall? {
        let text = endText(of: call, at: time)
        return recorded.removeValue(forKey: call.id) ?? text
    }

    private func endText(of call: Call, at time: Duration) -> TextCall? {
        guard keepsText, texts[call.id] != nil || !call.text.lines.isEmpty else { return nil }
        let textCall = textCall(call, at: time)
        keep(call, textCall, hasEnded: true)
        let isEmpty = texts.removeValue(forKey: call.id)?.log.isEmpty ?? true
        return isEmpty ? nil : textCall
    }

    private func keep(_ call: Call, _ textCall: TextCall, hasEnded: Bool = false) {
        var log = texts[call.id]?.log ?? TextLog()
        let parts = log.take(from: call.text, hasEnded: hasEnded, at: wall.now)
        texts[call.id] = (textCall, log)
        guard !parts.isEmpty else { return }
        store.keep(parts, of: textCall) { [weak self] result in
            guard let self, case .failure(let error) = result else { return }
            // All of it is written again with the next line.
            texts[call.id]?.log = TextLog()
            note(error)
        }
    }

    private func textCall(_ call: Call, at time: Duration) -> TextCall {
        if let known = texts[call.id]?.call ?? recorded[call.id] { return known }
        let now = wall.now
        let name = contacts?.name(for: call.remote) ?? call.remote.displayName
        return TextCall(
            number: call.id, began: now - (time - call.began),
            answered: call.machine.answered.map { now - (time - $0) }, direction: call.direction,
            remote: RemoteParty(call.remote.number, address: call.remote.address, displayName: name),
            line: call.line)
    }

    func forgetTexts() {
        for text in texts.values where !text.log.isEmpty {
            store.forgetText(of: text.call) { [weak self] in self?.recordFailure(of: $0) }
        }
        texts = [:]
    }

    func addInterrupted() {
        store.addInterrupted(reason: localized("Touchtone ended during the call")) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): note(error)
            case .success(0): break
            case .success(let count): added(count)
            }
        }
    }
}
