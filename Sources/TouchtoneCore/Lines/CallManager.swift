// SPDX-License-Identifier: GPL-3.0-or-later

/// The calls of the phone: the one model that a window shows, over whatever lines there are.
///
///     calls.acceptCalls(from: lines)                 // calls may come in
///     calls.dial(remote, on: exchange)
///     calls.press(.pound)                 // goes to the far end
///     calls.hangUp()
///
/// At most one call is heard at a time, and at most `capacity` are kept: what comes in beyond is told that the phone is
/// busy. Sounds and timers follow from what the calls are at; without a call there is neither.
@MainActor
public final class CallManager {
    /// How many calls there can be at once.
    public static let capacity = 2

    /// How long dial tone waits for a number.
    static let dialToneLimit = Duration.seconds(20)

    /// The calls, in the order of their beginning.
    public private(set) var calls: [Call] = []

    /// The call that ended last.
    public private(set) var lastEnd: CallRecord?

    /// Whether a call was put aside for a number that is not dialled yet.
    public internal(set) var isTakingNumber = false

    /// How the network sounds; without a plan it is silent.
    public var tonePlan: TonePlan? {
        get { sounds.plan }
        set { sounds.plan = newValue }
    }

    let clock: any Scheduler
    private let sounds: CallSounds
    private let observers = Observers<Change>()
    private(set) var lineCalls: [Int: any LineCall] = [:]
    private var lastID = 0
    var dialToneEnd: Duration?
    /// Whether two joined calls were put aside at once, and go on so.
    var areHeldTogether = false
    private var depth = 0
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.advance() }

    /// Creates a keeper without calls.
    public init(sounds: any SoundOutput, clock: any Scheduler) {
        self.sounds = CallSounds(output: sounds)
        self.clock = clock
    }
}

// MARK: - Who is told

extension CallManager {
    /// What followers are told of.
    public enum Change: Hashable, Sendable {
        /// The calls tell something else: told at the end of whatever changed them, and at each second of the one that
        /// is heard.
        case calls
        /// A call is over; it is none of the calls any more.
        case ended(CallRecord)
    }

    /// Calls `body` after each change, as long as `owner` is there.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }
}

// MARK: - What there is

extension CallManager {
    /// The user's call: one that is heard or set up, else one not reached, else one on hold; never an incoming one.
    public var current: Call? {
        heard ?? calls.first { $0.state == .refused } ?? calls.first { $0.state == .held }
    }

    /// Who calls and was not answered yet.
    public var incoming: Call? { calls.first { $0.state == .incoming } }

    /// The call besides the one that the user is at: it waits, or is joined with that one.
    public var other: Call? {
        guard let current else { return nil }
        return calls.first { $0.id != current.id && $0.state.isConversation }
    }

    /// How long both ends of a call have heard one another, in whole seconds; nil before that.
    public func seconds(of call: Call) -> Int? {
        call.machine.duration(at: clock.now).map { Int($0.components.seconds) }
    }

    /// The call that is heard, or will be when it is answered.
    var heard: Call? { calls.first { $0.state.isLive && $0.state != .held } }
}

// MARK: - What people do

extension CallManager {
    /// Receives the incoming calls of all lines, for good.
    public func acceptCalls(from lines: LineRegistry) {
        lines.onIncoming = { [weak self] call, line in
            guard let self else { return call.hangUp() }
            changing { offer(call, on: line) }
        }
    }

    /// Calls somebody, and puts the call that is heard aside for it.
    ///
    /// - Returns: false, and nothing has changed, where there is a call that cannot be put aside.
    @discardableResult
    public func dial(_ remote: RemoteParty, on line: any Line) -> Bool {
        guard heard.map({ $0.state == .connected && $0.canHold }) ?? true else { return false }
        guard calls.count(where: { $0.state != .refused }) < Self.capacity else { return false }
        var isDialled = false
        changing {
            stopTakingNumber()
            dropRefused()
            if let heard { apply(.hold, heard.id) }
            // It may not let itself be held.
            guard heard == nil else { return }
            let call = line.dial(line.rules.apply(to: remote))
            let id = add(call, .outgoing, remote, on: line)
            apply(.dial, id)
            isDialled = true
        }
        return isDialled
    }

    /// Answers who calls; the call that is heard is put aside, or ended where it can't be.
    public func answer() {
        guard let incoming else { return }
        changing {
            stopTakingNumber()
            dropRefused()
            if let heard, heard.canHold { apply(.hold, heard.id) }
            if let heard { apply(.hangUp, heard.id) }
            apply(.answer, incoming.id)
        }
    }

    /// Declines who calls, whatever other calls there are.
    public func decline() {
        guard let incoming else { return }
        changing { apply(.hangUp, incoming.id) }
    }

    /// Hangs up the call that the user is at, or declines who calls where there is none.
    public func hangUp() {
        changing {
            stopTakingNumber()
            guard let call = current ?? incoming, canHangUp(call) else { return }
            // The receiver is put down on all who are heard.
            for joined in calls where joined.state == .joined && joined.id != call.id {
                apply(.hangUp, joined.id)
            }
            apply(.hangUp, call.id)
        }
    }

    /// Hangs up one call, whatever the others are at; nothing happens if it is over.
    public func hangUp(_ id: Call.ID) {
        guard let call = calls.first(where: { $0.id == id }), canHangUp(call) else { return }
        changing { apply(.hangUp, id) }
    }

    /// Hangs up all calls: the program ends.
    public func hangUpAll() {
        changing {
            stopTakingNumber()
            for call in calls { apply(.hangUp, call.id) }
        }
    }

    /// Sends nothing of what the microphone hears in the call that the user is at, or all of it again.
    public func setMuted(_ isMuted: Bool) {
        guard let current, current.features.contains(.conversation), current.state != .refused else { return }
        changing {
            for call in calls where call.id == current.id || call.state == .joined {
                update(call.id) { $0.isMuted = isMuted }
                lineCalls[call.id]?.setMuted(isMuted)
            }
        }
    }

    /// Has the call that the user is at, and the other one, heard on the device of that name; nil is the one for tones.
    ///
    /// Without a call nothing happens.
    public func setSpeaker(_ device: String?) {
        guard current?.features.contains(.conversation) == true else { return }
        changing { for call in calls { update(call.id) { $0.speaker = device } } }
    }

    /// Sends what was dialled behind the number and waits for a word.
    public func sendPostDialDigits() {
        guard let heard, heard.postDialDigits.waits else { return }
        changing { update(heard.id) { $0.postDialDigits.resume(at: clock.now) } }
    }

    /// Sends a key to who is heard; nothing happens where there is nobody.
    public func press(_ key: DTMFKey) {
        guard let heard, heard.state.takesKeys else { return }
        changing { for call in calls where call.state.takesKeys { send(key, to: call.id) } }
    }

    /// The first key of a number was pressed: dial tone ends.
    public func recordNumberBegun() {
        guard dialToneEnd != nil else { return }
        changing { dialToneEnd = nil }
    }

    /// A number that was not reached is heard no more, since the user goes on to something else.
    public func leaveRefused() {
        guard calls.contains(where: { $0.state == .refused }) else { return }
        changing { dropRefused() }
    }
}

// MARK: - What lines tell

extension CallManager {
    private func offer(_ call: any LineCall, on line: any Line) {
        guard calls.count < Self.capacity || calls.contains(where: { $0.state == .refused }) else {
            call.declineAsBusy()
            return observers.notify(.ended(CallRecord(declinedAsBusy: call.remote.bounded, on: line)))
        }
        // The tone of a number that was not reached gives way where there is no room for both.
        if calls.count >= Self.capacity { dropRefused() }
        apply(.offered, add(call, .incoming, call.remote.bounded, on: line))
    }

    private func add(
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
        call.onEvent = { [weak self] event in
            guard let self else { return }
            changing { handle(event, of: id) }
        }
        return id
    }

    private func handle(_ event: CallEvent, of id: Int) {
        switch event {
        case .noMicrophone: update(id) { $0.lacksMicrophone = true }
        case .transferRefused: update(id) { $0.refusedTransfer = true }
        case .holdRefused:
            update(id) { $0.refusedHold = true }
            step(id) { call, time in call.machine.handle(event, at: time) }
            stopTakingNumber()
            // It is heard again, so nothing else can be.
            for other in calls where other.id != id && other.state.isLive && other.state != .held {
                apply(other.state.isConversation && other.canHold ? .hold : .hangUp, other.id)
            }
        case .ringing, .earlyMedia, .answered, .resumeRefused, .ended:
            step(id) { call, time in call.machine.handle(event, at: time) }
        }
    }
}

// MARK: - Making it so

extension CallManager {
    private func canHangUp(_ call: Call) -> Bool {
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
            for call in calls where call.state.takesKeys && call.state != .earlyMedia {
                sendDue(of: call, now)
            }
        }
    }

    private func sendDue(of call: Call, _ now: Duration) {
        var key: DTMFKey?
        update(call.id) { key = $0.postDialDigits.take(at: now) }
        guard let key else { return }
        sounds.play(key)
        send(key, to: call.id)
    }

    private func send(_ key: DTMFKey, to id: Int) {
        update(id) { $0.recordSent(key) }
        lineCalls[id]?.send(key)
    }

    private func update(_ id: Int, _ change: (inout Call) -> Void) {
        if let index = calls.firstIndex(where: { $0.id == id }) { change(&calls[index]) }
    }

    func apply(_ trigger: CallTransitions.Trigger, _ id: Int) {
        step(id) { call, time in call.machine.apply(trigger, at: time) }
    }

    /// Changes a call, and tells its line; the line is told last, since it may answer at once.
    private func step(_ id: Int, _ change: (inout Call, Duration) -> CallTransitions.Command?) {
        guard let index = calls.firstIndex(where: { $0.id == id }), let call = lineCalls[id] else { return }
        let order = change(&calls[index], clock.now)
        if calls[index].state == .connected { calls[index].postDialDigits.begin(at: clock.now) }
        if calls[index].state == .ended {
            let record = CallRecord(calls.remove(at: index), at: clock.now)
            lineCalls[id] = nil
            call.onEvent = nil
            lastEnd = record
            if !calls.contains(where: { $0.state == .held }) { stopTakingNumber() }
            observers.notify(.ended(record))
        }
        switch order {
        case nil: break
        case .answer: call.answer()
        case .hangUp: call.hangUp()
        case .hold: call.hold()
        case .resume: call.resume()
        case .join:
            let other = calls.first { $0.id != id && $0.state == .joined }.flatMap { lineCalls[$0.id] }
            if let other { call.join(other) }
        }
    }

    /// Does something, and then once what follows from it, however much was done in it.
    func changing(_ body: () -> Void) {
        depth += 1
        body()
        if depth == 1 { settle() }
        depth -= 1
        guard depth == 0 else { return }
        sounds.follow(
            current: current, isDialTone: dialToneEnd != nil,
            ringingInCall: incoming == nil ? nil : calls.contains { $0.state.isLive },
            on: current?.speaker)
        timer.set(for: nextDeadline)
        observers.notify(.calls)
    }

    /// Restores what holds after every change: no call is joined alone, and all are heard on the device of the first
    /// that goes on.
    private func settle() {
        let joined = calls.filter { $0.state == .joined }
        if joined.count == 1 { apply(.parted, joined[0].id) }
        let speaker = calls.first { $0.state.isLive }?.speaker
        for call in calls where call.speaker != speaker { update(call.id) { $0.speaker = speaker } }
    }

    /// When there is something to do: a phase is over, or a second that is shown.
    private var nextDeadline: Duration? {
        var deadlines = calls.compactMap(\.machine.deadline)
        if let dialToneEnd { deadlines.append(dialToneEnd) }
        deadlines += calls.lazy.filter { $0.state.takesKeys }.compactMap(\.postDialDigits.due)
        if let heard, heard.state.isConversation, let answered = heard.machine.answered,
            let seconds = seconds(of: heard)
        {
            deadlines.append(answered + .seconds(seconds + 1))
        }
        return deadlines.min()
    }
}
