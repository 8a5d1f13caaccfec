// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A call on a phone that is a line.
@MainActor
final class MobileCall: LineCall {
    private(set) var remote: RemoteParty
    let features: CallFeatures = [.conversation, .hold, .join, .onPhone]
    var onEvent: ((CallEvent) -> Void)?

    /// The phone’s calls; nil after the phone has gone.
    weak var desk: PhoneCalls?
    /// The call on the bus; nil before the phone has dialled.
    var path: String?
    /// The call as the service describes it; nil before the phone has dialled.
    private(set) var description: TelephonyCall?
    /// The action that the user wants, and the phone has not done.
    var wish: CallWish?
    /// How often the phone has been asked for that.
    var attempts = 0
    /// How often the phone has told of the call.
    private(set) var changes = 0
    /// The timer within which the phone tells what it has done; nil if that is not waited for.
    var settling: (any ScheduledTimer)? { didSet { oldValue?.cancel() } }
    /// The timer within which the caller’s number comes.
    var numbering: (any ScheduledTimer)? { didSet { oldValue?.cancel() } }
    /// Whether the call was offered or shown here.
    var isReported = false
    /// Whether the user has dialled the number here, so that the phone need not tell it.
    private let isDialledHere: Bool
    /// Whether nothing more is told of the call here.
    private(set) var hasEnded = false
    /// The state of the call, as told here.
    private(set) var shown: Shown
    /// Whether the call is left to the phone, where the user can still answer it.
    private(set) var isLeft = false
    private var missed: (@MainActor () -> Void)?

    enum Shown: Hashable {
        case dialling, ringing, incoming, connected, held, joined
    }

    /// Creates a call that the user dials here.
    init(to remote: RemoteParty) {
        (self.remote, shown, isDialledHere, isReported) = (remote, .dialling, true, true)
    }

    /// Creates a call that the phone has.
    init(_ description: TelephonyCall, at path: String) {
        (self.path, self.description, isDialledHere) = (path, description, false)
        remote = description.remote
        shown = description.state.isRinging ? .incoming : .dialling
    }

    var state: TelephonyState? { description?.state }

    // MARK: - Commands

    func answer() {
        shown = .connected
        want(.answer)
    }

    func hangUp() {
        hasEnded = true
        want(.hangUp)
    }

    /// Leaves the call to the phone, which rings on: it is missed if nobody answers it there.
    func declineAsBusy(missed: @escaping @MainActor () -> Void) {
        (hasEnded, isLeft, self.missed) = (true, true, missed)
    }

    func hold() {
        shown = .held
        want(.hold)
    }

    func resume() {
        shown = .connected
        want(.resume)
    }

    func join(_ other: any LineCall) {
        guard let other = other as? MobileCall, let desk, other.desk === desk else {
            return report(.resumeRefused)
        }
        (shown, other.shown) = (.joined, .joined)
        want(.join)
    }

    /// Does nothing: the sound is the phone’s.
    func setMuted(_ isMuted: Bool) {}

    func send(_ key: DTMFKey) { if !hasEnded { desk?.send(key, in: self) } }

    private func want(_ wish: CallWish) {
        (self.wish, attempts) = (wish, 0)
        desk?.wishesChanged()
    }

    // MARK: - Events

    /// Notes what the service tells.
    func note(_ description: TelephonyCall) {
        changes += 1
        settling = nil
        self.description = description
        guard !isDialledHere, !description.number.isEmpty, description.remote != remote else { return }
        remote = description.remote
        if isReported { report(.farEndChanged(remote)) }
    }

    func report(_ event: CallEvent) {
        if !hasEnded { onEvent?(event) }
    }

    /// Returns whether a call that the phone has now may be this one, which has gone from it before an answer.
    func isSame(as description: TelephonyCall) -> Bool {
        guard description.state.isAnswered else { return false }
        let number = description.number
        return number.isEmpty || remote.number.isEmpty || number.text == remote.called
    }

    /// Tells what the phone has done, in steps that the phone’s user can follow.
    func show(_ shown: Shown) {
        guard shown != self.shown else { return }
        let before = self.shown
        self.shown = shown
        switch shown {
        case .dialling, .incoming: break
        case .ringing: report(.ringing)
        case .connected where before == .dialling || before == .ringing: report(.answered)
        case .connected: report(.onPhone(.connected))
        case .held, .joined:
            if before == .dialling || before == .ringing { report(.answered) }
            report(.onPhone(shown == .held ? .held : .joined))
        }
    }

    /// Ends the call, which the phone has no more.
    func end(_ reason: CallEndReason? = nil) {
        (settling, numbering, desk) = (nil, nil, nil)
        let missed = missed
        self.missed = nil
        missed?()
        guard !hasEnded else { return }
        hasEnded = true
        onEvent?(.ended(reason ?? naturalEnd))
    }

    /// Leaves a call that the phone did not answer to that phone.
    func leave() {
        report(.ended(.failed("")))
        (hasEnded, isLeft) = (true, true)
    }

    /// Leaves a call to the phone without a word.
    func leaveSilently() { (hasEnded, isLeft) = (true, true) }

    /// The call in its next life: after it was left to the phone, the user has taken it there.
    func successor() -> MobileCall? {
        guard hasEnded, let path, let description, let desk else { return nil }
        let next = MobileCall(description, at: path)
        next.desk = desk
        (self.desk, settling, numbering) = (nil, nil, nil)
        missed = nil
        return next
    }

    /// The reason for the end, of which the phone says nothing.
    private var naturalEnd: CallEndReason {
        switch shown {
        case .dialling: state == .alerting ? .noAnswer : .failed("")
        case .ringing, .incoming: .noAnswer
        case .connected, .held, .joined: .farEnd
        }
    }
}
