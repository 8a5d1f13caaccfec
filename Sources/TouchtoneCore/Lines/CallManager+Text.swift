// SPDX-License-Identifier: GPL-3.0-or-later

// Real-time text in the current call.

extension CallManager {
    /// Whether the other side of the current call can be asked for text.
    public var canStartText: Bool {
        guard textUse != .never, let current, current.canHaveText, current.state.isConversation else {
            return false
        }
        return current.text.standing != .asked && current.text.standing != .active
    }

    /// Asks the other side of the current call for text.
    public func startText() {
        guard canStartText, let current else { return }
        changing {
            update(current.id) { $0.text.standing = .asked }
            lineCalls[current.id]?.startText()
        }
    }

    /// Asks the other side of a call that has just been answered for text, if the user always wants it.
    ///
    /// Only those are asked who have had text in an earlier call: some phones and gateways end a call at a change that they do not
    /// know.
    func startTextByItself(of id: Call.ID) {
        guard textUse == .always, let call = calls.first(where: { $0.id == id }), call.canHaveText,
            call.text.standing == .off
        else { return }
        Task {
            guard await hadText(call.remote), textUse == .always, let current, current.id == id,
                current.state == .connected, current.text.standing == .off
            else { return }
            startText()
        }
    }

    /// Changes the line that the user is typing in the current call, which the other side sees at once.
    public func type(_ text: String) {
        change { $0.type(text) }
    }

    /// Ends the line that the user is typing in the current call.
    public func endTyped() {
        change { $0.endTyped() }
    }

    /// Changes the text of the current call, and sends the part that tells the other side so.
    private func change(_ body: (inout CallText) -> String) {
        guard let current, current.text.standing == .active else { return }
        changing {
            var part = ""
            update(current.id) { part = body(&$0.text) }
            if !part.isEmpty { lineCalls[current.id]?.sendText(part) }
        }
    }

    func handleText(_ event: CallTextEvent, of id: Int) {
        update(id) { call in
            switch event {
            case .runs(let runs): call.text.standing = runs ? .active : .off
            case .refused: if call.text.standing == .asked { call.text.standing = .refused }
            case .received(let part): call.text.receive(part)
            }
        }
    }
}

extension Call {
    /// Whether text can be added to the call.
    public var canHaveText: Bool { features.contains(.text) }
}
