// SPDX-License-Identifier: GPL-3.0-or-later

/// One call from its beginning to its end: the state that every line's events, people's wishes and the clock go through.
///
/// A plain value without a clock: each event comes with its time since an epoch that the owner chooses, never going
/// back. What can happen is in `CallTable`.
public struct CallProgress: Hashable, Sendable {
    /// Where it is.
    public private(set) var phase = CallPhase.idle
    /// Why it ended or was refused, as it was said first; nil until then.
    public private(set) var end: CallEnd?
    /// When it got into its phase.
    public private(set) var phaseBegan = Duration.zero
    /// When both ends first heard one another.
    public private(set) var answered: Duration?
    private var ended: Duration?

    /// Creates the state in which there is no call yet.
    public init() {}

    /// When the phase has lasted as long as it may; nil is never.
    public var deadline: Duration? { phase.limit.map { phaseBegan + $0 } }

    /// How long both ends have heard one another, holding included; nil if they never did.
    public func duration(at time: Duration) -> Duration? {
        answered.map { max(.zero, (ended ?? time) - $0) }
    }

    /// Takes what happened.
    ///
    /// - Parameter reason: why the call ends, where the trigger is the line's word that it does.
    /// - Returns: what the line is to be told, if anything.
    mutating func take(
        _ trigger: CallTable.Trigger, at time: Duration, reason: CallEnd? = nil
    ) -> CallTable.Order? {
        guard let row = CallTable.row(phase, trigger) else { return nil }
        phase = row.next
        phaseBegan = time
        if phase == .connected, answered == nil { answered = time }
        if phase == .refused || phase == .ended { end = end ?? row.end ?? reason ?? .failed("") }
        if phase == .ended { ended = time }
        return row.order
    }

    /// Takes an event of the line's; one that is no change of state is for the owner, and changes nothing here.
    mutating func hear(_ event: CallEvent, at time: Duration) -> CallTable.Order? {
        switch event {
        case .ringing: take(.ringing, at: time)
        case .earlyMedia: take(.earlyMedia, at: time)
        case .answered: take(.answered, at: time)
        case .holdRefused: take(.holdRefused, at: time)
        case .resumeRefused: take(.resumeRefused, at: time)
        case .noMicrophone, .transferRefused: nil
        case .ended(let end): take(end.sound == nil ? .released : .refused, at: time, reason: end)
        }
    }
}
