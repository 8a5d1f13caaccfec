// SPDX-License-Identifier: GPL-3.0-or-later

/// The state of one call, as a plain value without a clock; `CallTransitions` lists the changes.
///
/// Each event comes with its time since an epoch that the owner chooses, and times never decrease.
public struct CallStateMachine: Hashable, Sendable {
    public private(set) var state = CallState.idle
    /// The first reason that was given for the end or refusal; nil before.
    public private(set) var endReason: CallEndReason?
    public private(set) var stateBegan = Duration.zero
    /// The time at which the call was answered; nil before.
    public private(set) var answered: Duration?
    private var ended: Duration?

    public init() {}

    /// The time at which the present state expires; nil is never.
    public var deadline: Duration? { state.limit.map { stateBegan + $0 } }

    /// Returns the time since the answer, holding included; nil if the call was not answered.
    public func duration(at time: Duration) -> Duration? {
        answered.map { max(.zero, (ended ?? time) - $0) }
    }

    /// Applies a trigger, and returns the command for the line; `reason` is the line’s for the end.
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

    /// Applies an event of the line; an event that changes no state is left to the owner, and returns nil.
    mutating func handle(_ event: CallEvent, at time: Duration) -> CallTransitions.Command? {
        switch event {
        case .ringing: apply(.ringing, at: time)
        case .earlyMedia: apply(.earlyMedia, at: time)
        case .answered: apply(.answered, at: time)
        case .holdRefused: apply(.holdRefused, at: time)
        case .resumeRefused: apply(.resumeRefused, at: time)
        case .onPhone(let action): apply(.init(action), at: time)
        case .noMicrophone, .silent, .keysRefused, .transferRefused, .farEndChanged, .heldByFarEnd, .quality,
            .text, .machineRecords, .recorded, .microphoneLevel:
            nil
        case .ended(let endReason):
            apply(endReason.sound == nil ? .released : .refused, at: time, reason: endReason)
        }
    }
}
