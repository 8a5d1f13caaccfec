// SPDX-License-Identifier: GPL-3.0-or-later

/// The calls of the phone: the one model that a window shows, over whatever lines there are.
///
///     calls.follow(exchange)              // calls may come in
///     calls.dial(number, on: exchange)
///     calls.press(.pound)                 // goes to the far end
///     calls.hangUp()
///
/// At most one call is heard at a time, and at most `capacity` are kept: what comes in beyond is told that the phone is
/// busy. Sounds and timers follow from what the calls are at; without a call there is neither.
@MainActor
public final class CallKeeper {
    /// How many calls there can be at once.
    public static let capacity = 2

    /// How long dial tone waits for a number.
    static let dialToneLimit = Duration.seconds(20)

    /// The calls, in the order of their beginning.
    public private(set) var calls: [OngoingCall] = []

    /// The call that ended last.
    public private(set) var lastEnd: CallRecord?

    /// Whether a call was put aside for a number that is not dialled yet.
    public private(set) var isTakingNumber = false

    /// Called at the end of whatever changed the calls, and at each second of the one that is heard.
    public var onChange: (() -> Void)?

    /// Called with each call that is over.
    public var onEnd: ((CallRecord) -> Void)?

    /// How the network sounds; without a plan it is silent.
    public var tonePlan: TonePlan? {
        get { sounds.plan }
        set { sounds.plan = newValue }
    }

    private let clock: any PhoneClock
    private let sounds: CallSounds
    private var lineCalls: [Int: any Call] = [:]
    private var lastID = 0
    private var dialToneEnd: Duration?
    private var depth = 0
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.advance() }

    /// Creates a keeper without calls.
    public init(sounds: any SoundOutput, clock: any PhoneClock) {
        self.sounds = CallSounds(output: sounds)
        self.clock = clock
    }
}

// MARK: - What there is

extension CallKeeper {
    /// The call that the user is at: the one that is heard or being set up, else one that was not reached, else one
    /// that waits; nil also while somebody calls and there is no other.
    public var current: OngoingCall? {
        heard ?? calls.first { $0.phase == .refused } ?? calls.first { $0.phase == .held }
    }

    /// Who calls and was not answered yet.
    public var incoming: OngoingCall? { calls.first { $0.phase == .incoming } }

    /// How long both ends of a call have heard one another, in whole seconds; nil before that.
    public func seconds(of call: OngoingCall) -> Int? {
        call.progress.duration(at: clock.now).map { Int($0.components.seconds) }
    }

    /// The call that is heard, or will be when it is answered.
    private var heard: OngoingCall? { calls.first { $0.phase.isLive && $0.phase != .held } }
}

// MARK: - What people do

extension CallKeeper {
    /// Has a line's calls come in here; a line is followed for good.
    public func follow(_ line: any Line) {
        line.onIncoming = { [weak self, weak line] call in
            guard let self, let line else { return call.hangUp() }
            changing { offer(call, on: line) }
        }
    }

    /// Calls the number, and puts the call that is heard aside for it.
    ///
    /// - Returns: false, and nothing has changed, where there is a call that cannot be put aside.
    @discardableResult
    public func dial(_ number: DialledNumber, on line: any Line) -> Bool {
        guard heard.map({ $0.phase == .connected && $0.canHold }) ?? true else { return false }
        guard calls.count(where: { $0.phase != .refused }) < Self.capacity else { return false }
        var isDialled = false
        changing {
            stopTakingNumber()
            dropRefused()
            if let heard { take(.hold, heard.id) }
            // It may not let itself be held.
            guard heard == nil else { return }
            let line = line.resolved()
            let call = line.dial(line.rules.apply(to: number))
            let id = add(call, .outgoing, number, on: line)
            take(.dial, id)
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
            if let heard, heard.canHold { take(.hold, heard.id) }
            if let heard { take(.hangUp, heard.id) }
            take(.answer, incoming.id)
        }
    }

    /// Declines who calls, whatever other calls there are.
    public func decline() {
        guard let incoming else { return }
        changing { take(.hangUp, incoming.id) }
    }

    /// Hangs up the call that the user is at, or declines who calls where there is none.
    public func hangUp() {
        changing {
            stopTakingNumber()
            if let call = current ?? incoming, canHangUp(call) { take(.hangUp, call.id) }
        }
    }

    /// Hangs up all calls: the program ends.
    public func hangUpAll() {
        changing {
            stopTakingNumber()
            for call in calls { take(.hangUp, call.id) }
        }
    }

    /// What the FLASH key of a telephone does, which opens the line for a moment.
    ///
    /// Somebody who waits is answered; of two calls the other one is taken; one alone is put aside, and dial tone asks
    /// for another number. Once more, and it goes on.
    public func flash() {
        if incoming != nil, heard != nil { return answer() }
        changing {
            let waiting = calls.first { $0.phase == .held }
            guard let heard else {
                stopTakingNumber()
                dropRefused()
                if let waiting { take(.resume, waiting.id) }
                return
            }
            guard heard.phase == .connected, heard.canHold else { return }
            take(.hold, heard.id)
            if let waiting {
                take(.resume, waiting.id)
            } else if calls.first(where: { $0.id == heard.id })?.phase == .held {
                isTakingNumber = true
                dialToneEnd = clock.now + Self.dialToneLimit
            }
        }
    }

    /// Puts the call that the user is at aside, or goes on with it.
    public func setHeld(_ isHeld: Bool) {
        guard let current, isHeld ? current.canHold : true else { return }
        changing {
            stopTakingNumber()
            take(isHeld ? .hold : .resume, current.id)
        }
    }

    /// Sends nothing of what the microphone hears in the call that the user is at, or all of it again.
    public func setMuted(_ isMuted: Bool) {
        guard let current, current.features.contains(.conversation), current.phase != .refused else { return }
        changing {
            update(current.id) { $0.isMuted = isMuted }
            lineCalls[current.id]?.setMuted(isMuted)
        }
    }

    /// Sends a key to the far end of the call that is heard; nothing happens where there is none.
    public func press(_ key: DTMFKey) {
        guard let heard, heard.phase.takesKeys else { return }
        changing {
            update(heard.id) { $0.noteSent(key) }
            lineCalls[heard.id]?.send(key)
        }
    }

    /// The first key of a number was pressed: dial tone ends.
    public func noteNumberBegun() {
        guard dialToneEnd != nil else { return }
        changing { dialToneEnd = nil }
    }

    /// A number that was not reached is heard no more, since the user goes on to something else.
    public func leaveRefused() {
        guard calls.contains(where: { $0.phase == .refused }) else { return }
        changing { dropRefused() }
    }
}

// MARK: - What lines tell

extension CallKeeper {
    private func offer(_ call: any Call, on line: any Line) {
        guard calls.count < Self.capacity || calls.contains(where: { $0.phase == .refused }) else {
            return call.hangUp()
        }
        // The tone of a number that was not reached gives way where there is no room for both.
        if calls.count >= Self.capacity { dropRefused() }
        let id = add(call, .incoming, call.number, on: line)
        take(.offered, id)
    }

    private func add(
        _ call: any Call, _ direction: OngoingCall.Direction, _ number: DialledNumber, on line: any Line
    ) -> Int {
        lastID += 1
        let id = lastID
        calls.append(
            OngoingCall(
                id: id, direction: direction, number: number, line: line.id, features: call.features,
                began: clock.now))
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
        case .holdRefused:
            update(id) { $0.refusedHold = true }
            step(id) { call, time in call.progress.hear(event, at: time) }
            stopTakingNumber()
            // It is heard again, so nothing else can be.
            for other in calls where other.id != id && other.phase.isLive && other.phase != .held {
                take(other.phase == .connected && other.canHold ? .hold : .hangUp, other.id)
            }
        case .ringing, .earlyMedia, .answered, .resumeRefused, .ended:
            step(id) { call, time in call.progress.hear(event, at: time) }
        }
    }
}

// MARK: - Making it so

extension CallKeeper {
    private func canHangUp(_ call: OngoingCall) -> Bool {
        call.features.contains(.conversation) || call.phase == .refused
    }

    private func dropRefused() {
        for call in calls where call.phase == .refused { take(.hangUp, call.id) }
    }

    private func stopTakingNumber() {
        isTakingNumber = false
        dialToneEnd = nil
    }

    private func advance() {
        changing {
            let now = clock.now
            if let end = dialToneEnd, end <= now { dialToneEnd = nil }
            for call in calls where call.progress.deadline.map({ $0 <= now }) ?? false {
                take(.timeout, call.id)
            }
        }
    }

    private func update(_ id: Int, _ change: (inout OngoingCall) -> Void) {
        if let index = calls.firstIndex(where: { $0.id == id }) { change(&calls[index]) }
    }

    private func take(_ trigger: CallTable.Trigger, _ id: Int) {
        step(id) { call, time in call.progress.take(trigger, at: time) }
    }

    /// Changes a call, and tells its line; the line is told last, since it may answer at once.
    private func step(_ id: Int, _ change: (inout OngoingCall, Duration) -> CallTable.Order?) {
        guard let index = calls.firstIndex(where: { $0.id == id }), let call = lineCalls[id] else { return }
        let order = change(&calls[index], clock.now)
        if calls[index].phase == .ended {
            let record = CallRecord(calls.remove(at: index), at: clock.now)
            lineCalls[id] = nil
            call.onEvent = nil
            lastEnd = record
            if !calls.contains(where: { $0.phase == .held }) { stopTakingNumber() }
            onEnd?(record)
        }
        switch order {
        case nil: break
        case .answer: call.answer()
        case .hangUp: call.hangUp()
        case .hold: call.hold()
        case .resume: call.resume()
        }
    }

    /// Does something, and then once what follows from it, however much was done in it.
    private func changing(_ body: () -> Void) {
        depth += 1
        body()
        depth -= 1
        guard depth == 0 else { return }
        sounds.follow(
            current: current, isDialTone: dialToneEnd != nil,
            ringingInCall: incoming == nil ? nil : calls.contains { $0.phase.isLive })
        timer.set(for: nextDeadline)
        onChange?()
    }

    /// When there is something to do: a phase is over, or a second that is shown.
    private var nextDeadline: Duration? {
        var deadlines = calls.compactMap(\.progress.deadline)
        if let dialToneEnd { deadlines.append(dialToneEnd) }
        if let heard, heard.phase == .connected, let answered = heard.progress.answered,
            let seconds = seconds(of: heard)
        {
            deadlines.append(answered + .seconds(seconds + 1))
        }
        return deadlines.min()
    }
}
