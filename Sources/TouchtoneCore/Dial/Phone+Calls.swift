// SPDX-License-Identifier: GPL-3.0-or-later

// What the phone does with calls: one key dials, answers and hangs up, and the others go to the far end in a call.

/// What the Dial key does.
public enum DialKeyAction: Hashable, Sendable {
    /// Calls the number.
    case dial
    /// Answers who calls.
    case answer
    /// Hangs up.
    case hangUp
    /// Nothing, for the moment that another program needs to take a number.
    case nothing
}

extension Phone {
    /// Whom the keypad is for.
    enum KeypadTarget {
        /// The number to dial.
        case number
        /// The far end of a call; before it has answered, and while it waits, nobody.
        case call
    }

    /// Calls the number; an empty display gets the number dialled last instead, and a second Dial calls that.
    ///
    /// In a call it hangs up, and while somebody calls it answers. While another program takes a number it does
    /// nothing.
    public func dial() {
        pressDial()
        publish()
    }

    /// Hangs up the call that the user is at, or declines who calls where there is no other.
    public func hangUp() {
        let wasRefused = calls.current?.state == .refused
        calls.hangUp()
        // Who has heard the tone and hangs up knows why.
        if wasRefused { status = atRest }
        publish()
    }

    /// Answers who calls.
    public func answer() { calls.answer() }

    /// A number as the display writes it.
    public func text(of number: DialledNumber) -> String { formatter.string(for: number) }

    /// Puts the number dialled last in place of the one displayed, without calling it.
    public func redial() {
        edit { recall() }
        publish()
    }

    /// What the Dial key does now, which it says.
    public var dialKey: DialKeyAction {
        guard !calls.isTakingNumber else { return .dial }
        guard let current = calls.current, current.state != .refused || calls.incoming == nil else {
            return calls.incoming == nil ? .dial : .answer
        }
        // What another program takes is over at once.
        return current.features.contains(.conversation) ? .hangUp : .nothing
    }

    func pressDial() {
        switch dialKey {
        case .dial: call()
        case .answer: calls.answer()
        case .hangUp: hangUp()
        case .nothing: break
        }
    }

    private func recall() {
        memory.leave()
        if let lastDialled { return show(lastDialled, saying: .redial) }
        guard let findLastDialled else { return status = .enterNumber }
        guard !isFindingLastDialled else { return }
        isFindingLastDialled = true
        let replaced = number
        Task { [weak self] in
            let found = await findLastDialled()
            self?.recall(found, inPlaceOf: replaced)
        }
    }

    /// Shows the number that an earlier run dialled last, unless the phone has been used for something else meanwhile.
    private func recall(_ found: DialledNumber?, inPlaceOf replaced: DialledNumber) {
        isFindingLastDialled = false
        lastDialled = lastDialled ?? found
        guard number == replaced, keypad == .number, dialKey == .dial, memory.question == nil else { return }
        makeWayForNumber()
        if let lastDialled { show(lastDialled, saying: .redial) } else { status = .enterNumber }
        publish()
    }

    private func call() {
        guard !number.isEmpty else { return recall() }
        guard number.isDialable else { return refuse(.noNumber) }
        guard calls.dial(RemoteParty(number), on: line) else { return refuse(.linesInUse) }
        lastDialled = number
    }
}

// MARK: - The keypad in a call

extension Phone {
    /// Whom the keypad is for now.
    var keypad: KeypadTarget { remoteInCall == nil ? .number : .call }

    /// The far end of the call that goes on, which the display shows; nil shows the number to dial.
    var remoteInCall: RemoteParty? {
        guard !calls.isTakingNumber, let current = calls.current, current.state.isLive,
            current.features.contains(.conversation)
        else { return nil }
        return current.remote
    }

    /// The number in the display: who calls is shown there as long as nobody has typed anything.
    var numberShown: DialledNumber { farEndShown?.number ?? number }

    /// Who is at the far end of a call, if the display shows that; nil where it has the number to dial.
    var farEndShown: RemoteParty? {
        if let remoteInCall { return remoteInCall }
        guard number.isEmpty, calls.current == nil else { return nil }
        return calls.incoming?.remote
    }

    /// Changes the number to dial, which nobody sees in a call, and so cannot do there.
    func edit(_ change: () -> Void) {
        guard keypad == .number else { return }
        makeWayForNumber()
        change()
    }

    /// Who types a number is done with what the network had to say.
    func makeWayForNumber() {
        calls.recordNumberBegun()
        calls.leaveRefused()
    }
}

// MARK: - What is said of calls

extension Phone {
    /// What the status line says when there is nothing else to say.
    var atRest: PhoneStatus { statusOfCalls ?? .ready }

    func callsChanged() {
        defer {
            wasInCall = !calls.calls.isEmpty
            wasTakingNumber = calls.isTakingNumber
            recordCalls()
            publish()
        }
        // The one in the display has been dialled: what is typed to the dial tone would be added to it.
        if calls.isTakingNumber, !wasTakingNumber { show(DialledNumber(), saying: status) }
        showNumber()
        // Who calls is answered by the same keys.
        if !calls.calls.isEmpty { memory.leave() }
        if let ofCalls = statusOfCalls {
            status = ofCalls
        } else if wasInCall, let last = calls.lastEnd {
            switch last.endReason {
            case .noTelHandler, .handlerFailed: refuse(PhoneStatus(last.endReason))
            default: status = status(after: last)
            }
        }
    }

    private func status(after call: CallRecord) -> PhoneStatus {
        if call.endReason == .transferred { return PhoneStatus(call.endReason) }
        if let duration = call.duration { return .callEnded(seconds: Int(duration.components.seconds)) }
        if call.isMissed { return .missed(from: caller(call.remote)) }
        return call.direction == .incoming ? .ready : PhoneStatus(call.endReason)
    }

    private var statusOfCalls: PhoneStatus? {
        if let incoming = calls.incoming { return .incoming(from: caller(incoming.remote)) }
        guard let current = calls.current else { return nil }
        switch current.state {
        case .dialling: return .dialling
        case .ringing, .earlyMedia: return .ringing
        case .held: return .held
        case .refused: return current.machine.endReason.map { PhoneStatus($0) }
        case .joined:
            return .joined(seconds: calls.seconds(of: current) ?? 0, isMuted: current.isMuted)
        case .connected:
            if current.postDialDigits.waits { return .waitsToSend(current.postDialDigits.next) }
            return .connected(
                seconds: calls.seconds(of: current) ?? 0, digits: current.digits, isMuted: current.isMuted,
                lacksMicrophone: current.lacksMicrophone)
        case .idle, .incoming, .ended: return nil
        }
    }
}
