// SPDX-License-Identifier: GPL-3.0-or-later

/// The calls of the phone: the one model that a window shows, for any set of lines.
///
///     calls.acceptCalls(from: lines)      // receives incoming calls
///     calls.dial(remote, on: exchange)
///     calls.press(.pound)                 // goes to the far end
///     calls.hangUp()
///
/// At most one call is heard at a time, and at most `capacity` exist: further incoming calls are declined as busy.
/// Sounds and timers follow from the states of the calls; without a call there are neither.
@MainActor
public final class CallManager {
    /// The greatest number of simultaneous calls.
    public static let capacity = 6

    /// The time for which dial tone waits for a number.
    static let dialToneLimit = Duration.seconds(20)

    /// The calls, in order of their beginning.
    public private(set) var calls: [Call] = []

    public private(set) var lastEnd: CallRecord?

    /// Whether a call is held for a second number that is not dialled yet.
    public internal(set) var isTakingNumber = false

    /// The network's tones; nil is silence.
    public var tonePlan: TonePlan? {
        get { sounds.plan }
        set { sounds.plan = newValue }
    }

    /// The numbers that are sent as they were dialled, and for which other calls make room.
    public var emergency = EmergencyNumbers() { didSet { callers.emergency = emergency } }

    /// The callers who are declined without ringing.
    public let blockList = BlockList()

    /// The rules for callers who hide, and for those whom the user does not know.
    public let callers = CallerRules()

    /// Returns whether the user wants to be disturbed by a caller.
    public var isFavourite: @MainActor (RemoteParty) -> Bool = { _ in false }

    var missedCallers = MissedCallers()
    /// The end of the last emergency call.
    var helpEnd: Duration?

    /// When the answering machine takes calls; a change counts at once.
    public var machineRules = MachineRules() { didSet { if machineRules != oldValue { changing {} } } }
    public weak var recorder: (any CallRecorder)?
    /// The calls whose callers are being looked up, and recordings that end.
    var asking: Set<Call.ID> = []
    var endings: [Call.ID: any ScheduledTimer] = [:]

    /// Whether the quality of the call that is heard is measured, at once and then every second.
    public var measuresQuality = false { didSet { if measuresQuality, !oldValue { measure() } } }

    /// Whether text can be added to calls, and is added by itself; a change counts at once.
    public var textUse = RealTimeTextUse.ask { didSet { if textUse != oldValue { changing {} } } }

    /// Returns whether a party has typed or read text in an earlier call.
    public var hadText: @MainActor (RemoteParty) async -> Bool = { _ in false }

    public let microphone = CallMicrophone()
    let clock: any Scheduler
    let sounds: CallSounds
    let observers = Observers<Change>()
    private(set) var lineCalls: [Int: any LineCall] = [:]
    private(set) weak var lines: LineRegistry?
    private var lastID = 0
    var dialToneEnd: Duration?
    /// The number of times that a call was put on hold, and that joined calls were held together.
    private var holds = 0
    var groups = 0
    var isKeyHeld = false
    private var depth = 0
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.advance() }

    public init(sounds: any SoundOutput, clock: any Scheduler) {
        self.sounds = CallSounds(output: sounds)
        self.clock = clock
        callers.expectsCallBack = { [weak self] in self?.expectsCallBack ?? false }
    }
}

// MARK: - Observers

extension CallManager {
    public enum Change: Hashable, Sendable {
        /// The calls changed. Sent after each change, and at each second of the call that is heard.
        case calls
        /// A call ended, and is no longer one of the calls.
        case ended(CallRecord)
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }
}

// MARK: - Calls

extension CallManager {
    /// Returns the whole seconds for which both ends of a call have been connected; nil before the answer.
    public func seconds(of call: Call) -> Int? {
        call.machine.duration(at: clock.now).map { Int($0.components.seconds) }
    }

    /// Returns the name of the line with that id, for the display; empty if there is none any more.
    func label(ofLine id: String) -> String { lines?.line(id)?.label ?? "" }

    /// Returns the name of the account with that line, to be shown with a call; empty if there is only one.
    public func accountLabel(ofLine id: String) -> String {
        guard let lines, lines.accounts.count > 1 else { return "" }
        return lines.accounts.first { $0.id == id }?.label ?? ""
    }

    /// Whether a call occupies a line; a caller who waits for an answer does not.
    public var hasLiveCall: Bool { calls.contains { $0.state.isLive } }
}

// MARK: - Actions

extension CallManager {
    /// Accepts incoming calls from all lines, for the lifetime of the registry.
    public func acceptCalls(from lines: LineRegistry) {
        self.lines = lines
        lines.onIncoming = { [weak self] call, line in
            guard let self else { return call.hangUp() }
            changing { offer(call, on: line) }
        }
        lines.onAppeared = { [weak self] in self?.show($0, on: $1) }
        lines.onDeclined = { [weak self] in self?.record($0, on: $1) }
        lines.onMissed = { [weak self] in self?.record($0, age: $1, for: $2, on: $3) }
    }

    /// Dials a number, and holds the call that is heard; for an emergency number, calls in its way end.
    ///
    /// - Parameter begin: Lets the line take over a call that rings elsewhere, in place of one that it dials.
    /// - Returns: False, and nothing has changed, if a call cannot be held, or if there are `capacity` calls.
    @discardableResult
    public func dial(
        _ remote: RemoteParty, on line: any Line, begin: (@MainActor () -> any LineCall)? = nil
    ) -> Bool {
        let isEmergency = emergency.contains(remote.number)
        if isEmergency { makeRoom(on: line.id) }
        guard canHoldHeard(for: line.id), hasRoom else { return false }
        var isDialled = false
        changing {
            stopTakingNumber()
            dropRefused()
            holdHeard(for: line.id)
            // The line may refuse to hold the call.
            if isEmergency { endActiveCall() }
            guard activeCall == nil else { return }
            let call = begin?() ?? line.dial(asSent(remote, on: line))
            let id = add(call, begin == nil ? .outgoing : .pickedUp, remote, on: line)
            if isEmergency { update(id) { $0.urgency = .emergency } }
            apply(.dial, id)
            isDialled = true
        }
        return isDialled
    }

    /// Answers the incoming call, or takes over that of the machine; holds the active call, or ends it if it cannot be held.
    public func answer() {
        if let answerable { answer(answerable) }
    }

    func answer(_ incoming: Call) {
        guard hasRoom || !incoming.isForMachine else { return }
        changing {
            stopTakingNumber()
            dropRefused()
            holdHeard(for: incoming.line)
            endActiveCall()
            apply(.answer, incoming.id)
        }
    }

    /// Declines the incoming call, or ends that of the machine; other calls are not affected.
    public func decline() {
        guard let incoming = answerable else { return }
        changing { apply(.hangUp, incoming.id) }
    }

    /// Hangs up the current call, or declines the incoming call if there is no current one; calls on hold stay there.
    public func hangUp() {
        changing {
            stopTakingNumber()
            guard let call = current ?? answerable, canHangUp(call) else { return }
            // Hanging up ends every joined call, as replacing the receiver does.
            for joined in calls where joined.state == .joined && joined.id != call.id {
                apply(.hangUp, joined.id)
            }
            apply(.hangUp, call.id)
        }
    }

    /// Hangs up one call, in any state; does nothing if it has ended.
    public func hangUp(_ id: Call.ID) {
        guard let call = calls.first(where: { $0.id == id }), canHangUp(call) else { return }
        changing { apply(.hangUp, id) }
    }

    /// Hangs up all calls, before the app quits.
    public func hangUpAll() {
        changing {
            stopTakingNumber()
            for call in calls { if !leaveToPhone(call) { apply(.hangUp, call.id) } }
        }
    }

    /// Ends a call that was not reached, because the user continues with something else.
    public func leaveRefused() {
        guard calls.contains(where: { $0.state == .refused }) else { return }
        changing { dropRefused() }
    }
}

// MARK: - Line Events

extension CallManager {
    func add(
        _ call: any LineCall, _ direction: Call.Direction, _ remote: RemoteParty, on line: any Line
    ) -> Int {
        lastID += 1
        let id = lastID
        calls.append(
            Call(
                id: id, direction: direction, remote: remote, line: line.id, features: call.features,
                began: clock.now,
                sendsPostDialDigits: direction == .outgoing && call.features.contains(.conversation)))
        lineCalls[id] = call
        if call.offersText { update(id) { $0.text.standing = .offered } }
        call.onEvent = { [weak self, weak call] event in
            guard let self else { return }
            if let call, microphone.takes(event, from: call) { return }
            changing { handle(event, of: id) }
        }
        return id
    }
}

// MARK: - Changes

extension CallManager {
    func canHangUp(_ call: Call) -> Bool {
        call.features.contains(.conversation) || call.state == .refused
    }

    func dropRefused() {
        for call in calls where call.state == .refused { apply(.hangUp, call.id) }
    }

    func stopTakingNumber() {
        isTakingNumber = false
        dialToneEnd = nil
    }

    private func advance() {
        changing {
            let now = clock.now
            if let end = dialToneEnd, end <= now { dialToneEnd = nil }
            for call in calls where call.machine.deadline.map({ $0 <= now }) ?? false {
                apply(.timeout, call.id)
            }
            divertDue(at: now)
            for call in calls where call.receivesKeys && call.state != .earlyMedia {
                sendDue(of: call, now)
            }
            measure()
        }
    }

    /// Removes a call that was not offered to the user, without a record; returns it for the last command.
    func forget(_ id: Int) -> (any LineCall)? {
        calls.removeAll { $0.id == id }
        let call = lineCalls.removeValue(forKey: id)
        call?.onEvent = nil
        return call
    }

    func update(_ id: Int, _ change: (inout Call) -> Void) {
        if let index = calls.firstIndex(where: { $0.id == id }) { change(&calls[index]) }
    }

    func apply(_ trigger: CallTransitions.Trigger, _ id: Int) {
        step(id) { call, time in call.machine.apply(trigger, at: time) }
    }

    /// Changes a call and then commands its line, which may respond immediately.
    func step(_ id: Int, _ change: (inout Call, Duration) -> CallTransitions.Command?) {
        guard let index = calls.firstIndex(where: { $0.id == id }), let call = lineCalls[id] else { return }
        let before = calls[index].state
        let command = change(&calls[index], clock.now)
        if calls[index].state == .held, before != .held {
            holds += 1
            calls[index].hold = holds
        }
        if calls[index].state == .connected {
            calls[index].postDialDigits.begin(at: clock.now)
            if calls[index].transfer == .failed { calls[index].transfer = nil }
        }
        if calls[index].state == .ended {
            let ended = calls.remove(at: index)
            let record = CallRecord(ended, at: clock.now)
            lineCalls[id] = nil
            leave(ended, call)
            lastEnd = record
            if !calls.contains(where: { $0.state == .held }) { stopTakingNumber() }
            report(record)
        }
        switch command {
        case nil: break
        case .answer: call.answer()
        case .takeOver: call.takeOver()
        case .hangUp: call.hangUp()
        case .hold: call.hold()
        case .resume: call.resume()
        case .join:
            let other = calls.first { $0.id != id && $0.state == .joined }.flatMap { lineCalls[$0.id] }
            if let other { call.join(other) }
        }
    }

    /// Makes changes, and updates sounds, timers and observers once, at the end of the outermost call.
    func changing(_ body: () -> Void) {
        depth += 1
        body()
        if depth == 1 { settle() }
        depth -= 1
        guard depth == 0 else { return }
        sounds.follow(
            current: current, isDialTone: dialToneEnd != nil, incoming: incomingHeard ?? incoming,
            isBusy: hasLiveCall, on: current?.speaker)
        microphone.follow(microphoneCall)
        timer.set(for: nextDeadline)
        observers.notify(.calls)
    }

    /// Restores the invariants: no call is joined alone, and all calls are played on the device of the first live one.
    private func settle() {
        let joined = calls.filter { $0.state == .joined }
        if joined.count == 1 { apply(.parted, joined[0].id) }
        useMachine()
        let speaker = calls.first { $0.state.isLive }?.speaker
        for call in calls where call.speaker != speaker { update(call.id) { $0.speaker = speaker } }
    }

    /// The time of a state’s deadline, the end of dial tone, a digit to send, or a second that is shown.
    private var nextDeadline: Duration? {
        var deadlines = calls.compactMap(\.machine.deadline)
        if let dialToneEnd { deadlines.append(dialToneEnd) }
        deadlines += calls.compactMap { machineTime(of: $0) }
        deadlines += calls.compactMap(diversionDue)
        deadlines += calls.lazy.filter { $0.receivesKeys }.compactMap(\.postDialDigits.due)
        if let activeCall, activeCall.state.isConversation, let answered = activeCall.machine.answered,
            let seconds = seconds(of: activeCall)
        {
            deadlines.append(answered + .seconds(seconds + 1))
        }
        return deadlines.min()
    }
}
