// SPDX-License-Identifier: GPL-3.0-or-later

// Calls on the phone: one key dials, answers and hangs up, and during a call the others go to the far end.

public enum DialKeyAction: Hashable, Sendable {
    case dial
    case answer
    case hangUp
    /// The key has no effect while another app receives a number.
    case nothing
}

extension Phone {
    enum KeypadTarget {
        /// The number to dial.
        case number
        /// The far end of a call; keys have no effect before the answer or during a hold.
        case call
    }

    /// Dials the number, or recalls the last one into an empty display, so that a second press dials it.
    ///
    /// During a call it hangs up, and an incoming call is answered.
    public func dial() {
        pressDial()
        publish()
    }

    /// Hangs up the current call, or declines the incoming call if there is no other.
    public func hangUp() {
        let wasRefused = calls.current?.state == .refused
        calls.hangUp()
        // The user has heard the tone of a refused call, and needs no message.
        if wasRefused { status = atRest }
        publish()
    }

    public func answer() { calls.answer() }

    /// Returns a number as the display writes it.
    public func text(of number: DialledNumber) -> String { formatter.string(for: number) }

    /// Returns a number as the display writes it, or an address without its scheme.
    public func text(of target: CallTarget) -> String {
        switch target {
        case .number(let number): text(of: number)
        case .address(let address): address.shown
        }
    }

    /// Transfers two calls to each other, or the held one to what is on the display; a single call is held,
    /// and dial tone asks for the number.
    public func transfer() {
        defer { publish() }
        if calls.canTransfer {
            calls.transfer()
            return forgetTarget()
        }
        guard calls.isTakingNumber else { return calls.prepareTransfer() }
        guard calls.canTransferBlind else { return }
        if let address {
            transfer(to: RemoteParty(DialledNumber(), address: address.text))
        } else if number.isDialable {
            transfer(to: RemoteParty(number))
        } else {
            refuse(number.isEmpty ? .enterNumber : .noNumber)
        }
    }

    /// Begins to record the current call, or ends that.
    public func toggleRecording() {
        guard let current = calls.current, current.state.isLive else { return }
        // Some lines cannot be recorded, and the disk may be full.
        guard calls.setRecorded(!current.isRecorded) else {
            refuse(.notRecorded)
            return publish()
        }
    }

    /// Transfers the call, unless its line cannot call the target.
    private func transfer(to target: RemoteParty) {
        let line = calls.current.flatMap { calls.lines?.line($0.line) }
        if let line, target.jabberAddress != nil || !target.number.isEmpty, !line.canCall(target) {
            return refuse(.notTransferred)
        }
        calls.transfer(to: target)
        forgetTarget()
    }

    /// Empties the display, so that the key that hangs up cannot call the target of a transfer once the calls have ended.
    private func forgetTarget() {
        show(DialledNumber(), saying: status)
        showNumber()
    }

    /// The present effect of the Dial key, which is also on its label.
    public var dialKey: DialKeyAction {
        guard !calls.isTakingNumber else { return .dial }
        guard let current = calls.current, current.state != .refused || calls.answerable == nil else {
            return calls.answerable == nil ? .dial : .answer
        }
        // A call that is handed over to another app ends immediately.
        return current.features.contains(.conversation) ? .hangUp : .nothing
    }

    func pressDial() {
        switch dialKey {
        case .dial: callShown()
        case .answer: calls.answer()
        case .hangUp: hangUp()
        case .nothing: break
        }
    }

    /// Calls what is on the display, on a line that was chosen for this call, or else on the one that Dial uses.
    func callShown(on chosen: (any Line)? = nil) {
        if let address { return callShown(address, on: chosen) }
        guard !number.isEmpty else { return recall() }
        guard number.isDialable else { return refuse(.noNumber) }
        guard let line = isEmergency ? lineForHelp : chosen ?? lineShown else {
            return refuse(.cannotReachHelp)
        }
        if !isEmergency, chosen == nil, line === self.line, mustChooseLine?() == true {
            return status = .chooseLine
        }
        // Before an account is connected, it is not known whether it has a gateway.
        guard line.callsNumbers else {
            return refuse(line.state == .available ? .peopleOnly : .notReached(.notAvailable))
        }
        guard calls.dial(RemoteParty(number), on: line) else { return refuse(.linesInUse) }
        (lastDialled, lastAddress, isDialled) = (number, nil, true)
    }

    private func callShown(_ address: CallAddress, on chosen: (any Line)?) {
        guard let line = chosen ?? line(for: address) else {
            if case .jabber = address { return refuse(.noJabberAccount) }
            return refuse(.noSIPAccount)
        }
        guard calls.dial(RemoteParty(DialledNumber(), address: address.text), on: line) else {
            return refuse(.linesInUse)
        }
        lastAddress = address
    }
}

// MARK: - Call, Elsewhere in the Window

extension Phone {
    /// Whether a call can be made now: the tone of one that was not reached makes way, as for a number that is typed.
    public var canCall: Bool {
        if dialKey == .dial { return true }
        return calls.answerable == nil && calls.current?.state == .refused
    }

    /// Replaces what is on the display with a number and calls it, at the user's request.
    ///
    /// - Returns: False if no call can be made now; the status says so.
    @discardableResult
    public func call(_ number: DialledNumber) -> Bool { call { show(number, saying: atRest) } }

    /// Replaces what is on the display with an address and calls it, as `call(_:)` does with a number.
    @discardableResult
    public func call(_ address: CallAddress) -> Bool { call { show(address, saying: atRest) } }

    private func call(showing: () -> Void) -> Bool {
        defer { publish() }
        guard canCall else {
            refuse(.linesInUse)
            return false
        }
        makeWayForNumber()
        showing()
        callShown()
        return true
    }
}

// MARK: - Lines

extension Phone {
    /// The lines that can call what is on the display, from which the user can choose one for a single call; empty if
    /// Dial does not dial, or if the number has to reach an emergency service.
    public var linesForDisplay: [any Line] {
        guard dialKey == .dial, !isEmergency else { return [] }
        guard let address else {
            guard number.isDialable else { return [] }
            return calls.lines?.lines.filter { $0.canCall(RemoteParty(number)) } ?? []
        }
        let remote = RemoteParty(DialledNumber(), address: address.text)
        return calls.lines?.lines.filter { $0.canCall(remote) } ?? []
    }

    /// Calls what is on the display on a line that the user has chosen for this call.
    public func dial(on id: String) {
        defer { publish() }
        guard let line = linesForDisplay.first(where: { $0.id == id }) else { return }
        callShown(on: line)
    }

    /// Returns the line that calls an address; nil if there is none.
    public func line(for address: CallAddress) -> (any Line)? {
        switch address {
        case .sip: lineForAddresses?()
        case .jabber(let person, let account): jabber?.line(for: person, account: account)
        }
    }
}

// MARK: - Keypad During Calls

extension Phone {
    /// The destination of the keypad; while a call rings, no key changes the number that the caller covers.
    var keypad: KeypadTarget { farEndShown == nil ? .number : .call }

    /// The far end of the present call, which the display shows; nil shows the number to dial.
    var remoteInCall: RemoteParty? {
        guard !calls.isTakingNumber, let current = calls.current, current.state.isLive,
            current.features.contains(.conversation)
        else { return nil }
        return current.remote
    }

    /// The number on the display: that of the far end, or the one to dial.
    var numberShown: DialledNumber { farEndShown?.number ?? number }

    /// The far end, if the display shows it, as it does whenever Dial would answer, so that the user knows
    /// whom.
    var farEndShown: RemoteParty? {
        remoteInCall ?? (dialKey == .answer ? calls.answerable?.remote : nil)
    }

    /// Edits the number to dial, which is neither shown nor edited during a call.
    func edit(_ change: () -> Void) {
        guard keypad == .number else { return }
        makeWayForNumber()
        forgetAddress()
        change()
    }

    /// Ends dial tone and the tone of a refused call, because a number is entered.
    func makeWayForNumber() {
        calls.recordNumberBegun()
        calls.leaveRefused()
    }
}

// MARK: - Status

extension Phone {
    var atRest: PhoneStatus { statusOfCalls ?? (isEmergency ? .emergencyNumber : .ready) }

    func callsChanged() {
        defer {
            wasInCall = !calls.calls.isEmpty
            wasTakingNumber = calls.isTakingNumber
            recordCalls()
            publish()
        }
        // The displayed number was already dialled: digits typed at dial tone would be appended to it.
        if calls.isTakingNumber, !wasTakingNumber { show(DialledNumber(), saying: status) }
        showNumber()
        // The same keys answer an incoming call.
        if !calls.calls.isEmpty { memory.leave() }
        if let ofCalls = statusOfCalls {
            if ofCalls == .notTransferred, status != ofCalls { refuse(ofCalls) } else { status = ofCalls }
        } else if wasInCall, let last = calls.lastEnd {
            switch last.endReason {
            case .noTelHandler, .handlerFailed: refuse(PhoneStatus(last.endReason))
            case .connectionLost:
                if last.direction != .outgoing { offerAgain(last.remote) }
                status = PhoneStatus(last.endReason)
            default: status = status(after: last)
            }
        }
    }

    /// Shows a caller, so that Dial calls back, unless the user has begun a number; a number that was dialled stays by itself.
    private func offerAgain(_ caller: RemoteParty) {
        guard address == nil, number.isEmpty || isDialled else { return }
        if !caller.number.isEmpty {
            show(caller.number, saying: status)
            isDialled = true
        } else if let address = CallAddress(caller.address) {
            show(address, saying: status)
        }
        showNumber()
    }

    private func status(after call: CallRecord) -> PhoneStatus {
        if call.endReason == .transferred { return PhoneStatus(call.endReason) }
        if let duration = call.duration {
            return .callEnded(
                seconds: Int(duration.components.seconds), isPractice: isPracticeAlone?(call.line) == true)
        }
        if call.isMissed { return .missed(from: caller(call.remote)) }
        return call.direction == .incoming ? .ready : PhoneStatus(call.endReason)
    }

    private var statusOfCalls: PhoneStatus? {
        if let incoming = calls.incoming {
            return dialKey == .answer
                ? .incoming(
                    line: calls.label(ofLine: incoming.line), hasText: incoming.text.standing == .offered)
                : .waiting(from: caller(incoming.remote))
        }
        if dialKey == .answer, let onMachine = calls.onMachine {
            return .onMachine(isRecording: onMachine.isMessageBegun)
        }
        guard let current = calls.current else { return nil }
        switch current.state {
        case .dialling: return .dialling
        case .ringing, .earlyMedia: return .ringing
        case .held:
            switch current.transfer {
            case nil: return .held
            case .pending: return .transferring
            case .failed: return .notTransferred
            }
        case .refused: return current.machine.endReason.map { PhoneStatus($0) }
        case .joined:
            return .joined(seconds: calls.seconds(of: current) ?? 0, isMuted: current.isMuted)
        case .connected:
            if current.isHeldByFarEnd { return .heldByFarEnd }
            if current.postDialDigits.waits { return .waitsToSend(current.postDialDigits.next) }
            if current.refusesKeys {
                return .keysNotSent(seconds: calls.seconds(of: current) ?? 0, isMuted: current.isMuted)
            }
            if current.isSilent, current.digits.isEmpty, !current.isMuted {
                return .unheard(seconds: calls.seconds(of: current) ?? 0)
            }
            return .connected(
                seconds: calls.seconds(of: current) ?? 0, digits: current.digits, isMuted: current.isMuted,
                lacksMicrophone: current.lacksMicrophone)
        case .idle, .incoming, .machine, .ended: return nil
        }
    }
}
