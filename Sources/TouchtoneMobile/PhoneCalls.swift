// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import TouchtoneCore

/// The calls of a connected phone.
///
/// A phone has few operations, each for all of its calls: holding one call and resuming another is one of them. The wishes
/// of the user are therefore collected, and done together after the present event (`CallPlan`), one operation at a time.
/// Its calls then are what the phone tells, whatever was wanted.
@MainActor
final class PhoneCalls {
    /// The receiver of the line's events.
    var onEvent: (@MainActor (LineEvent) -> Void)?

    private let control: any PhoneControl
    let clock: any Scheduler
    private(set) var calls: [MobileCall] = []
    /// The calls that have gone before an answer: PipeWire may replace one by another object when it is answered.
    private var lost: [MobileCall] = []
    /// The calls that are to be dialled, and the one that the phone dials.
    private var waiting: [MobileCall] = []
    private var dialled: MobileCall?
    private var binding: (any ScheduledTimer)? { didSet { oldValue?.cancel() } }
    private var isBusy = false
    private var isTurning = false
    private var hasEnded = false
    private let tones: ToneQueue
    private let limit: ReportLimit

    /// The greatest number of calls of a phone; others are not read.
    static let capacity = 16
    /// The time within which a phone tells what it has done.
    static let settlingTime = Duration.seconds(3)
    /// The time within which the number of a caller comes, and within which a dialled call appears.
    static let numberTime = Duration.seconds(2)
    static let bindingTime = Duration.seconds(15)
    /// The time within which a call that has gone comes back as another object.
    static let returnTime = Duration.seconds(1)
    /// How often the phone is asked for the same.
    static let maximumAttempts = 2

    init(_ control: any PhoneControl, clock: any Scheduler, limit: ReportLimit) {
        (self.control, self.clock, self.limit) = (control, clock, limit)
        tones = ToneQueue(control)
    }

    // MARK: - Commands

    func dial(_ call: MobileCall) {
        call.desk = self
        waiting.append(call)
        turnSoon()
    }

    func wishesChanged() { turnSoon() }

    /// Sends a key; the phone sends it to all calls that are joined, so that it is sent once for them.
    func send(_ key: DTMFKey, in call: MobileCall) {
        guard call.shown != .joined || calls.first(where: { $0.shown == .joined }) === call else { return }
        tones.send(key.character, in: call)
    }

    /// Ends all calls here, because the phone has gone; they may go on there.
    func end() {
        hasEnded = true
        binding = nil
        let all = calls + lost + waiting + (dialled.map { [$0] } ?? [])
        (calls, lost, waiting, dialled) = ([], [], [], nil)
        for call in all { call.end(.connectionLost) }
    }

    // MARK: - The phone's calls

    /// Takes over what the service tells of a call.
    func note(_ description: TelephonyCall, at path: String) {
        guard !hasEnded else { return }
        guard description.state != .disconnected else { return remove(path) }
        // An answered call does not begin again: another one has its place.
        if let old = call(at: path)?.state, old.isAnswered, !description.state.isAnswered { remove(path) }
        if let call = call(at: path) {
            call.note(description)
        } else if let call = lost.first(where: { $0.isSame(as: description) }) {
            lost.removeAll { $0 === call }
            call.numbering = nil
            bind(call, description, path)
        } else if let dialled, [.dialing, .alerting, .active].contains(description.state) {
            bind(dialled, description, path)
        } else if calls.count < Self.capacity {
            let call = MobileCall(description, at: path)
            call.desk = self
            calls.append(call)
        }
        turnSoon()
    }

    /// Takes over changed properties of a call.
    func change(_ properties: [String: Variant], at path: String) {
        guard var description = call(at: path)?.description else { return }
        description.update(properties)
        note(description, at: path)
    }

    /// Takes over that the phone has a call no more.
    func remove(_ path: String) {
        guard let index = calls.firstIndex(where: { $0.path == path }) else { return }
        let call = calls.remove(at: index)
        turnSoon()
        guard call.isReported, !call.hasEnded, call.state?.isAnswered == false else { return finish(call) }
        call.settling = nil
        lost.append(call)
        call.numbering = clock.schedule(after: Self.returnTime) { [weak self, weak call] in
            guard let self, let call else { return }
            lost.removeAll { $0 === call }
            finish(call)
        }
    }

    private func finish(_ call: MobileCall) {
        if !call.isReported, !call.hasEnded, call.shown == .incoming, limit.takes(at: clock.now) {
            onEvent?(.missed(call.remote, age: .zero, .noAnswer))
        }
        call.end()
    }

    private func call(at path: String) -> MobileCall? { calls.first { $0.path == path } }

    private func bind(_ call: MobileCall, _ description: TelephonyCall, _ path: String) {
        if call === dialled { (dialled, binding) = (nil, nil) }
        call.path = path
        call.note(description)
        calls.append(call)
    }

    // MARK: - Turns

    /// Compares what is wanted with what is, once, after the present events.
    private func turnSoon() {
        guard !isTurning else { return }
        isTurning = true
        MainLoop.soon { [weak self] in
            self?.isTurning = false
            self?.turn()
        }
    }

    private func turn() {
        guard !hasEnded else { return }
        for call in calls where !call.isReported { introduce(call) }
        for call in calls where call.hasEnded { takeUp(call) }
        compare()
        proceed()
    }

    /// Reports a new call: one that rings when its number is known, or will not come.
    private func introduce(_ call: MobileCall) {
        guard let description = call.description else { return }
        if description.state.isRinging, description.number.isEmpty, call.numbering == nil {
            call.numbering = clock.schedule(after: Self.numberTime) { [weak self, weak call] in
                if let call { self?.report(call) }
            }
        } else if !description.state.isRinging || !description.number.isEmpty {
            report(call)
        }
    }

    private func report(_ call: MobileCall) {
        guard !hasEnded, !call.isReported else { return }
        call.isReported = true
        call.numbering = nil
        guard let state = call.state, limit.takes(at: clock.now) else { return call.leaveSilently() }
        onEvent?(state.isRinging ? .incoming(call) : .appeared(call))
        turnSoon()
    }

    /// Shows a call again that was left to the phone, and that the user has answered there, or that the phone has not ended.
    private func takeUp(_ call: MobileCall) {
        guard call.wish == nil, call.settling == nil, let state = call.state, !state.isRinging,
            let index = calls.firstIndex(where: { $0 === call }),
            let next = call.successor()
        else { return }
        calls[index] = next
        report(next)
    }

    /// Tells what the phone has done, first of calls on hold, so that two are never heard.
    private func compare() {
        let joined = calls.filter { $0.state == .active && $0.description?.isMultiparty == true }
        var found: [(call: MobileCall, shown: MobileCall.Shown)] = []
        for call in calls where call.isReported && call.wish == nil && call.settling == nil && !call.hasEnded
        {
            switch call.state {
            case .alerting where call.shown == .dialling: found.append((call, .ringing))
            case .held: found.append((call, .held))
            case .active:
                let isJoined = joined.count > 1 && joined.contains { $0 === call }
                found.append((call, isJoined ? .joined : .connected))
            default: break
            }
        }
        for (call, shown) in found where shown == .held { call.show(shown) }
        for (call, shown) in found where shown != .held { call.show(shown) }
    }

    // MARK: - Operations

    /// Asks the phone for the next thing that is wanted, after it has told what became of the last one.
    private func proceed() {
        guard !isBusy, dialled == nil, !calls.contains(where: { $0.settling != nil }) else { return }
        waiting.removeAll { $0.hasEnded }
        for call in calls {
            if let state = call.state, call.wish?.isGranted(in: state) == true { call.wish = nil }
        }
        let entries = calls.compactMap { call in
            call.path.flatMap { path in
                call.state.map { CallPlan.Entry(path: path, state: $0, wish: call.wish) }
            }
        }
        guard let step = CallPlan.next(entries, dialling: waiting.first?.remote.called) else {
            return compare()
        }
        perform(step)
    }

    private func perform(_ step: CallPlan.Step) {
        isBusy = true
        if case .dial = step.operation { dialled = waiting.removeFirst() }
        let concerned = calls.filter { call in step.calls.contains { $0 == call.path } }
        let before = concerned.map { ($0.changes, $0.wish) }
        control.perform(step.operation) { [weak self] result in
            guard let self, !hasEnded else { return }
            isBusy = false
            if case .dial = step.operation { dialAnswered(result) }
            for (call, (changes, wish)) in zip(concerned, before) {
                answered(result, for: call, wish: wish, hasChanged: call.changes != changes, step)
            }
            turnSoon()
        }
    }

    private func answered(
        _ result: Result<String?, PhoneRefusal>, for call: MobileCall, wish: CallWish?, hasChanged: Bool,
        _ step: CallPlan.Step
    ) {
        // The user may want something else by now.
        guard call.wish == wish else { return }
        call.attempts += 1
        switch result {
        case .success:
            if !step.isPreparation || call.attempts > Self.maximumAttempts { call.wish = nil }
            if !hasChanged { settle(call) }
        case .failure:
            call.wish = nil
            if wish == .answer { call.leave() }
            // The call may be ending by itself.
            if wish == .hangUp, !hasChanged { settle(call) }
        }
    }

    /// Waits until the phone tells what it has done, or has said nothing for a while.
    private func settle(_ call: MobileCall) {
        guard call.desk === self else { return }
        call.settling = clock.schedule(after: Self.settlingTime) { [weak self, weak call] in
            call?.settling = nil
            self?.turnSoon()
        }
    }

    // MARK: - Dialling

    private func dialAnswered(_ result: Result<String?, PhoneRefusal>) {
        guard let call = dialled else { return }
        switch result {
        case .success:
            // Some versions answer before they tell of the call.
            binding = clock.schedule(after: Self.bindingTime) { [weak self] in self?.dialFailed(.failed("")) }
        case .failure(.invalidNumber): dialFailed(.noSuchNumber)
        case .failure(.noNetwork): dialFailed(.network)
        case .failure(.other): dialFailed(.failed(""))
        }
        if call.hasEnded, case .failure = result { (dialled, binding) = (nil, nil) }
    }

    private func dialFailed(_ reason: CallEndReason) {
        let call = dialled
        (dialled, binding) = (nil, nil)
        call?.end(reason)
        turnSoon()
    }
}
