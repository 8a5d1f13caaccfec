// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore
import TouchtoneEngine

@MainActor
final class SIPCall: EngineCall {
    private(set) var remote: RemoteParty
    let features: CallFeatures = [
        .conversation, .hold, .join, .transfer, .quality, .text, .machine, .recording, .diversion,
        .microphoneLevel,
    ]
    var onEvent: ((CallEvent) -> Void)?

    private(set) var engineID: SIPCallID?
    /// The account's line, which has the addresses of numbers.
    weak var line: SIPLine?
    let isIncoming: Bool
    let offersText: Bool
    let diversions: Int
    /// Whether it takes over a call that rings elsewhere.
    private var picksUp = false
    /// The caller of the one that rings elsewhere, who is the far end once that is taken over; nil if that is unknown.
    var caller: RemoteParty?
    private(set) var hasEnded = false
    /// Whether the user has neither answered nor declined the incoming call.
    private(set) var isUndecided: Bool
    private var isAnswered = false
    /// Whether the microphone is muted, possibly before the call is sent.
    private(set) var isMuted = false
    private let clock: any Scheduler
    private let calls: EngineCalls
    /// The timer that gives up a transfer; nil if none is under way.
    private var transferTimer: (any ScheduledTimer)? { didSet { oldValue?.cancel() } }

    /// The time for which the far end may say nothing of a transfer.
    ///
    /// It is a little longer than REFER is repeated (timer F of 32 s, RFC 3261, section 17.1.2.2), because a hold may have
    /// to end before. The first report follows the response at once (RFC 3515, section 2.4.4).
    static let silenceLimit = Duration.seconds(35)
    /// The time for the transfer after the first report: proxies let the other party ring for three minutes (timer C, RFC
    /// 3261, section 16.6), and may take a little longer.
    static let reportLimit = Duration.seconds(200)

    /// Creates a call that the phone makes.
    init(to remote: RemoteParty, calls: EngineCalls, clock: any Scheduler) {
        (self.remote, self.calls, self.clock) = (remote, calls, clock)
        (isIncoming, isUndecided, offersText, diversions) = (false, false, false, 0)
    }

    /// Creates a call that the engine has reported.
    init(
        _ id: SIPCallID, from remote: RemoteParty, offersText: Bool, diversions: Int, calls: EngineCalls,
        clock: any Scheduler
    ) {
        (self.remote, self.calls, self.clock) = (remote, calls, clock)
        (isIncoming, isUndecided, self.offersText) = (true, true, offersText)
        // The engine says what the request claims.
        self.diversions = max(0, diversions)
        engineID = id
        calls.add(self, as: id)
    }

    /// Makes the call from an account.
    func dial(_ address: String, from account: String) {
        engineID = calls.add(self)
        command(.dial(account: account, address: address))
        if isMuted { setMuted(true) }
    }

    /// Takes over the call that rings at an extension, from a caller if one is known.
    func pickUp(at address: String, from caller: RemoteParty?, on account: String) {
        (picksUp, self.caller) = (true, caller)
        engineID = calls.add(self)
        command(.pickUp(account: account, address: address))
        if isMuted { setMuted(true) }
    }

    func answer() {
        isUndecided = false
        isAnswered = true
        command(.answer)
    }

    func answer(with machine: MachineAnswer) {
        for (command, file) in machine.commands { self.command(command, file) }
        answer()
    }

    func takeOver() { command(.takeOver) }
    func setAloud(_ isAloud: Bool) { command(.setAloud(isAloud)) }
    func record(to file: OpenFile, withTone: Bool) { command(.record(withTone: withTone), file) }
    func stopRecording() { command(.stopRecording) }

    func hangUp() {
        isUndecided = false
        command(.hangUp)
        // The user has ended it: nothing that the far end does is of interest.
        close()
    }

    func declineAsBusy(missed: @escaping @MainActor () -> Void) {
        isUndecided = false
        command(.declineAsBusy)
        close()
        missed()
    }

    func divert(to remote: RemoteParty) {
        guard let address = line?.address(of: remote) else { return hangUp() }
        isUndecided = false
        command(.redirect(to: address))
        close()
    }

    func hold() { command(.hold) }
    func resume() { command(.resume) }

    func join(_ other: any LineCall) {
        guard let other = (other as? any EngineCall)?.engineID else { return report(.resumeRefused) }
        command(.join(with: other))
    }

    func transfer(to other: any LineCall) {
        guard let other = (other as? SIPCall)?.engineID else { return report(.transferRefused) }
        command(.transfer(to: other))
        limitTransfer(Self.silenceLimit)
    }

    func transfer(to remote: RemoteParty) {
        guard let address = line?.address(of: remote) else { return report(.transferRefused) }
        command(.transferToAddress(address))
        limitTransfer(Self.silenceLimit)
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

    func startText() { command(.startText) }
    func sendText(_ part: String) { command(.sendText(part)) }

    /// Tells the caller that the phone rings.
    func ring() { command(.ring) }

    private func command(_ command: SIPCallCommand, _ file: OpenFile? = nil) {
        if let engineID, !hasEnded { calls.send(command, to: engineID, with: file) }
    }

    private func report(_ event: CallEvent) {
        if !hasEnded { onEvent?(event) }
    }

    /// Gives up the transfer after a time; the far end may still connect the other party, and so end it.
    private func limitTransfer(_ time: Duration) {
        transferTimer = clock.schedule(after: time) { [weak self] in self?.transferFailed() }
    }

    private func transferFailed() {
        transferTimer = nil
        report(.transferRefused)
    }

    private func close() {
        hasEnded = true
        transferTimer = nil
    }
}

// MARK: - Events

extension SIPCall {
    func handle(_ event: SIPCallEvent) {
        switch event {
        case .ringing: report(.ringing)
        case .earlyMedia: report(.earlyMedia)
        case .answered:
            isAnswered = true
            report(.answered)
            if let caller { handle(farEnd: caller) }
        case .holdRefused: report(.holdRefused)
        case .resumeRefused: report(.resumeRefused)
        case .transferReported: if transferTimer != nil { limitTransfer(Self.reportLimit) }
        case .transferRefused: if transferTimer != nil { transferFailed() }
        case .noMicrophone: report(.noMicrophone)
        case .silent(let isSilent): report(.silent(isSilent))
        case .keysRefused(let areRefused): report(.keysRefused(areRefused))
        case .heldByFarEnd(let isHeld): report(.heldByFarEnd(isHeld))
        case .quality(let quality): report(.quality(CallQuality(quality)))
        case .microphone(let level): report(.microphoneLevel(level))
        case .textRuns(let runs): report(.text(.runs(runs)))
        case .textRefused: report(.text(.refused))
        case .machineRecords: report(.machineRecords)
        // The end of the call ends a recording, too.
        case .recorded(let recorded): onEvent?(CallEvent(recorded))
        case .text(let part): report(.text(.received(part)))
        case .farEndChanged(let party):
            caller = nil
            handle(farEnd: RemoteParty(party))
        case .ended(let end):
            let isTooLate = picksUp && !isAnswered && [481, 486, 487].contains(end.status)
            self.end(isTooLate ? .notAvailable : end.reason(isIncoming: isIncoming, isAnswered: isAnswered))
        // The engine has the signalling of calls over SIP.
        case .incoming, .keyReceived, .described, .connected: break
        }
    }

    private func handle(farEnd remote: RemoteParty) {
        self.remote = remote
        report(.farEndChanged(remote))
    }

    /// Ends the call for a reason of the phone.
    func end(_ reason: CallEndReason) {
        guard !hasEnded else { return }
        close()
        onEvent?(.ended(reason))
    }
}
