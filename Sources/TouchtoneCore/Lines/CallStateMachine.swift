// SPDX-License-Identifier: GPL-3.0-or-later

/// One call from its beginning to its end: the state that every line's events, people's wishes and the clock go through.
///
/// A plain value without a clock: each event comes with its time since an epoch that the owner chooses, never going
/// back. What can happen is in `CallTransitions`.
public struct CallStateMachine: Hashable, Sendable {
    /// Where it is.
    public private(set) var state = CallState.idle
    /// Why it ended or was refused, as it was said first; nil until then.
    public private(set) var endReason: CallEndReason?
    /// When it got into its phase.
    public private(set) var stateBegan = Duration.zero
    /// When both ends first heard one another.
    public private(set) var answered: Duration?
    private var ended: Duration?

    /// Creates the state in which there is no call yet.
    public init() {}

    /// When the phase has lasted as long as it may; nil is never.
    public var deadline: Duration? { state.limit.map { stateBegan + $0 } }

    /// How long both ends have heard one another, holding included; nil if they never did.
    public func duration(at time: Duration) -> Duration? {
        answered.map { max(.zero, (ended ?? time) - $0) }
    }

    /// Takes what happened.
    ///
    /// - Parameter reason: why the call ends, where the trigger is the line's word that it does.
    /// - Returns: what the line is to be told, if anything.
    mutating func apply(
        _ trigger: CallTransitions.Trigger, at time: Duration, reason: CallEndReason? = nil
    ) -> CallTransitions.Command? {
        guard let transition = CallTransitions.transition(state, trigger) else { return nil }
        state = transition.next
        stateBegan = time
        if state == .connected, answered == nil { answered = time }
        if state == .refused || state == .ended {
            endReason = endReason ?? transition.endReason ?? reason ?? .failed("")
        }
        if state == .ended { ended = time }
        return transition.command
    }

    /// Takes an event of the line's; one that is no change of state is for the owner, and changes nothing here.
    mutating func handle(_ event: CallEvent, at time: Duration) -> CallTransitions.Command? {
        switch event {
        case .ringing: apply(.ringing, at: time)
        case .earlyMedia: apply(.earlyMedia, at: time)
        case .answered: apply(.answered, at: time)
        case .holdRefused: apply(.holdRefused, at: time)
        case .resumeRefused: apply(.resumeRefused, at: time)
        case .noMicrophone, .transferRefused: nil
        case .ended(let endReason):
            apply(endReason.sound == nil ? .released : .refused, at: time, reason: endReason)
        }
    }
}
