// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore
import TouchtoneEngine

/// A call over Jabber: its course, its session with a device of the other party, and its sound in the engine.
@MainActor
final class JabberCall: EngineCall {
    let remote: RemoteParty
    let features: CallFeatures = [
        .conversation, .hold, .join, .quality, .machine, .recording, .microphoneLevel,
    ]
    var onEvent: ((CallEvent) -> Void)?

    private(set) var engineID: SIPCallID?
    private(set) var hasEnded = false
    /// The other party, without a device.
    let party: JID
    /// The identifier of the call and of its session.
    private(set) var sid: String
    /// The device of the other party; nil before one has taken the call.
    private(set) var device: JID?
    private(set) var course: CallCourse?
    /// Whether the other party has no business to know this machine's address.
    let isStranger: Bool
    /// The words of the other device about its sound.
    var session = CallSession()

    /// The calls of the account, which keep this one until some time after its end.
    let calls: JabberCalls
    private var timers: [CallCourse.Limit: any ScheduledTimer] = [:]
    /// The commands that wait for the engine.
    private var waiting: [(command: SIPCallCommand, file: OpenFile?)] = []
    /// The files that the engine needs before it prepares the sound, if the answering machine is to take the call.
    private var machine: MachineAnswer?
    private var isOnMachine = false
    private var isMuted = false
    /// The closure to call if no other device of the user takes the call, which this one is too busy for.
    private var onMissed: (@MainActor () -> Void)?
    /// The reason for the end that replaces that of the course.
    private var reason: CallEndReason?

    /// Creates a call that begins with `begin()`, or with that of the caller.
    init(
        _ remote: RemoteParty, party: JID, sid: String, isStranger: Bool, device: JID? = nil,
        calls: JabberCalls
    ) {
        (self.remote, self.party, self.sid, self.isStranger) = (remote, party, sid, isStranger)
        (self.device, self.calls) = (device, calls)
    }

    // MARK: Beginnings

    /// Calls the other party.
    func begin(isGateway: Bool) {
        let (course, effects) = CallCourse.calling(isGateway: isGateway)
        self.course = course
        perform(effects)
    }

    /// Offers the call to the phone, and tells the caller that it rings unless it is declined at once.
    func ring(
        offer: MediaDescription?, isGateway: Bool, tellsRinging: Bool, offered: @MainActor () -> Void
    ) {
        guard let device, course == nil, !hasEnded else { return }
        let (course, effects) = CallCourse.called(
            by: device, offer: offer, isGateway: isGateway, tellsRinging: tellsRinging)
        self.course = course
        offered()
        guard self.course == course else { return }
        perform(onMissed == nil ? effects : effects.filter { $0 == .start(.ringing) })
    }

    /// Takes the call of the party that is being called itself, in the place of this one.
    func give(way sid: String, of device: JID) {
        for timer in timers.values { timer.cancel() }
        timers = [:]
        calls.tell(.retract(.cancel), of: self.sid, party)
        (self.sid, self.device) = (sid, device)
        let (course, _) = CallCourse.called(by: device, tellsRinging: false)
        self.course = course
        apply(.answered)
    }

    /// Ends a call that was not made.
    func refuse(_ reason: CallEndReason) {
        guard !hasEnded else { return }
        close()
        onEvent?(.ended(reason))
    }

    // MARK: Commands

    func answer() { apply(.answered) }

    func answer(with machine: MachineAnswer) {
        (self.machine, isOnMachine) = (machine, true)
        answer()
    }

    func takeOver() {
        isOnMachine = false
        command(.takeOver)
    }

    func setAloud(_ isAloud: Bool) { command(.setAloud(isAloud)) }
    func record(to file: OpenFile, withTone: Bool) { command(.record(withTone: withTone), file) }
    func stopRecording() { command(.stopRecording) }

    func hangUp() {
        guard course != nil else { return close() }
        apply(.hungUp)
    }

    func declineAsBusy(missed: @escaping @MainActor () -> Void) {
        // What a device offers to this one alone, no other device of the user sees.
        guard case .ringing(_, nil) = course?.state, calls.hasOtherDevices else {
            decline(asBusy: missed)
            return
        }
        onMissed = missed
        // If no other device of the user can take the call, the caller should not wait.
        Task {
            if await !calls.canAnotherDeviceCall(), let onMissed { decline(asBusy: onMissed) }
        }
    }

    private func decline(asBusy missed: @MainActor () -> Void) {
        onMissed = nil
        guard course != nil else { return close() }
        apply(.declined(isBusy: true))
        missed()
    }

    func hold() {
        command(.hold)
        tell("hold")
    }

    func resume() {
        command(.resume)
        tell("unhold")
    }

    func join(_ other: any LineCall) {
        guard let other = (other as? any EngineCall)?.engineID else { return report(.resumeRefused) }
        command(.join(with: other))
        tell("unhold")
    }

    func measure() { command(.measure) }
    func watchMicrophone(_ isWatched: Bool) { command(.watchMicrophone(isWatched)) }

    func setMuted(_ isMuted: Bool) {
        self.isMuted = isMuted
        command(.setMuted(isMuted))
    }

    func send(_ key: DTMFKey) { command(.sendKey(String(key.character))) }
    func press(_ key: DTMFKey) { command(.pressKey(String(key.character))) }
    func releaseKey() { command(.releaseKey) }

    /// Tells the other device what happens to the sound.
    private func tell(_ name: String) {
        guard let device, case .connected = course?.state else { return }
        let info = XMLElement(name, CallSession.infoNamespace)
        calls.client.requestWithoutWaiting(Jingle.request(.info, sid: sid, [info]), to: device)
    }

    // MARK: Engine

    private func command(_ command: SIPCallCommand, _ file: OpenFile? = nil) {
        guard let engineID, let engine = calls.dependencies?.engine else { return }
        if engine.isReady, waiting.isEmpty {
            engine.calls.send(command, to: engineID, with: file)
        } else {
            waiting.append((command, file))
        }
    }

    /// Sends what has waited for the engine.
    func engineIsReady() {
        let commands = waiting
        waiting = []
        for (command, file) in commands { self.command(command, file) }
    }

    private func prepare(_ offer: MediaDescription?) {
        guard let engine = calls.dependencies?.engine else { return }
        calls.startEngine()
        engineID = engine.calls.add(self)
        for (command, file) in machine?.commands ?? [] { self.command(command, file) }
        machine = nil
        Task {
            let route = await calls.route(isStranger: isStranger)
            guard !hasEnded else { return }
            guard let route else { return fail(.network, .noRelay) }
            if let offer {
                command(.prepareAnswer(to: session.take(offer), route))
            } else {
                command(.prepareOffer(route))
            }
            if isMuted { command(.setMuted(true)) }
        }
    }

    func add(_ candidates: [MediaDescription.Candidate]) {
        let new = session.add(candidates)
        if !new.isEmpty { command(.addCandidates(new)) }
    }

    func setHeldByFarEnd(_ isHeld: Bool) { command(.setHeldByFarEnd(isHeld)) }

    func handle(_ event: SIPCallEvent) {
        switch event {
        case .described(let media): apply(.prepared(media))
        case .connected:
            calls.dependencies?.engine.worked()
            apply(.mediaConnected)
        case .holdRefused: report(.holdRefused)
        case .resumeRefused: report(.resumeRefused)
        case .noMicrophone: report(.noMicrophone)
        case .silent(let isSilent): report(.silent(isSilent))
        case .keysRefused(let areRefused): report(.keysRefused(areRefused))
        case .machineRecords: report(.machineRecords)
        case .recorded(let recorded):
            // The end of the call ends a recording, too.
            onEvent?(CallEvent(recorded))
            machineEnded(recorded.end)
        case .quality(let quality): report(.quality(CallQuality(quality)))
        case .microphone(let level): report(.microphoneLevel(level))
        case .ended(let end):
            engineID = nil
            if let state = end.relay { return fail(.network, .relayFailed(state)) }
            apply(.mediaFailed(end.isUnprotected ? .encryption : end.side == .network ? .network : .engine))
        // The signalling of this call is that of its session.
        case .incoming, .ringing, .earlyMedia, .answered, .heldByFarEnd, .transferReported, .transferRefused,
            .farEndChanged, .keyReceived, .textRuns, .textRefused, .text:
            break
        }
    }

    /// Ends the call as a user does, whom the machine stands for.
    private func machineEnded(_ end: SIPRecorded.End) {
        guard isOnMachine, !hasEnded, end != .stopped, end != .ended else { return }
        apply(.hungUp)
        onEvent?(.ended(.hungUp))
    }

    /// Ends the call for a reason of the phone, such as the end of the engine.
    func end(_ reason: CallEndReason) {
        engineID = nil
        if course == nil { refuse(reason) } else { fail(.engine, reason) }
    }

    /// Ends the call with a reason of its own.
    func fail(_ failure: CallCourse.Failure, _ reason: CallEndReason? = nil) {
        self.reason = reason
        apply(.mediaFailed(failure))
    }
}

// MARK: - Course

extension JabberCall {
    func apply(_ event: CallCourse.Event) {
        guard let effects = course?.handle(event) else { return }
        perform(effects)
        if course?.state == .ended { close() }
    }

    private func perform(_ effects: [CallCourse.Effect]) {
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: CallCourse.Effect) {
        switch effect {
        case .tellParty(let content): calls.tell(content, of: sid, party)
        case .tell(let content, let device): calls.tell(content, of: sid, device)
        case .tellOwn(let content):
            if let own = calls.ownAddress { calls.tell(content, of: sid, own) }
            // The offer of the session comes next.
            calls.jingle.add(self)
        case .prepare(let offer):
            if case .taken(let device) = course?.state { self.device = device }
            prepare(offer)
        case .sendOffer(let media, let device):
            calls.jingle.add(self)
            request(.initiate, media, device)
        case .sendAnswer(let media, let device): request(.accept, media, device)
        case .connect(let media): command(.connect(session.take(media)))
        case .terminate(let reason, let device): calls.client.terminate(sid, with: device, reason)
        case .report(.ended(let told)):
            close()
            if told == .farEnd { onMissed?() }
            onMissed = nil
            onEvent?(.ended(reason ?? told))
        case .report(let event): report(event)
        case .start(let limit):
            timers[limit]?.cancel()
            timers[limit] = calls.account.clock.schedule(after: limit.time) { [weak self] in
                self?.apply(.expired(limit))
            }
        case .stop(let limit): timers.removeValue(forKey: limit)?.cancel()
        }
    }

    private func request(_ action: Jingle.Action, _ media: MediaDescription, _ device: JID) {
        let role = action == .initiate ? "initiator" : "responder"
        let content = AudioContent.content(session.content, media)
        let request = Jingle.request(action, sid: sid, party: (role, calls.client.address), [content])
        calls.client.ask(.set, to: device, request) { [weak self] answer in
            switch answer {
            // An answer that is late says nothing: the limits of the call hold.
            case .success, .failure(.timeout), .failure(.implausible): break
            case .failure(.refused), .failure(.disconnected): self?.apply(.refused(by: device))
            }
        }
    }

    private func report(_ event: CallEvent) {
        if !hasEnded { onEvent?(event) }
    }

    /// Ends what belongs to the call.
    private func close() {
        guard !hasEnded else { return }
        hasEnded = true
        for timer in timers.values { timer.cancel() }
        timers = [:]
        command(.hangUp)
        calls.jingle.remove(self)
        calls.ended(self)
    }
}

extension CallEndReason {
    /// Calls go through a relay alone, and the account’s server has none.
    static var noRelay: CallEndReason { .failed(localized("your server has no relay for calls")) }

    /// The relay through which alone a call may go did not take it.
    static func relayFailed(_ state: SIPRelayState) -> CallEndReason {
        .failed(
            state == .noAnswer
                ? localized("the relay of your server does not answer")
                : localized("the relay of your server refused the call"))
    }
}
