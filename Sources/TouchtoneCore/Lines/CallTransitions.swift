// SPDX-License-Identifier: GPL-3.0-or-later

/// The transitions of a call, as data: a trigger without a row changes nothing.
enum CallTransitions {
    enum Trigger: Hashable, Sendable, CaseIterable {
        // Actions of the user.
        case dial, answer, hangUp, hold, resume, join
        // The answering machine takes the call.
        case machine
        // Events of the line; `refused` is an end that the network has a tone for.
        case offered, ringing, earlyMedia, answered, holdRefused, resumeRefused, refused, released
        // What the phone that has the call has done with it.
        case takenUp, putAside, tied
        // The state has lasted for its limit.
        case timeout
        // The call that it was joined with has ended, or is on hold.
        case parted

        init(_ action: PhoneAction) {
            self =
                switch action {
                case .connected: .takenUp
                case .held: .putAside
                case .joined: .tied
                }
        }
    }

    enum Command: Hashable, Sendable {
        case answer, hangUp, hold, resume, join, takeOver
    }

    struct Transition: Sendable {
        let state: CallState
        let trigger: Trigger
        let next: CallState
        var command: Command?
        /// The reason for the end, unless the event gives it.
        var endReason: CallEndReason?

        init(
            _ state: CallState, _ trigger: Trigger, _ next: CallState, _ command: Command? = nil,
            endReason: CallEndReason? = nil
        ) {
            self.state = state
            self.trigger = trigger
            self.next = next
            self.command = command
            self.endReason = endReason
        }
    }

    /// Returns the transition for a trigger in a state; nil if the trigger has no effect.
    static func transition(_ state: CallState, _ trigger: Trigger) -> Transition? { index[state]?[trigger] }

    private static let index: [CallState: [Trigger: Transition]] = Dictionary(
        grouping: transitions, by: \.state
    )
    .mapValues { Dictionary($0.map { ($0.trigger, $0) }, uniquingKeysWith: { first, _ in first }) }

    static let transitions: [Transition] = [
        Transition(.idle, .dial, .dialling),
        Transition(.idle, .offered, .incoming),
        // A call that does not ring.
        Transition(.idle, .machine, .machine),
        Transition(.idle, .refused, .ended),
        Transition(.idle, .released, .ended),
        Transition(.idle, .hangUp, .ended, .hangUp, endReason: .declined),

        Transition(.dialling, .ringing, .ringing),
        Transition(.dialling, .earlyMedia, .earlyMedia),
        Transition(.dialling, .answered, .connected),
        Transition(.dialling, .refused, .refused),
        Transition(.dialling, .released, .ended),
        Transition(.dialling, .hangUp, .ended, .hangUp, endReason: .hungUp),
        Transition(.dialling, .timeout, .refused, .hangUp, endReason: .network),

        Transition(.ringing, .earlyMedia, .earlyMedia),
        Transition(.ringing, .answered, .connected),
        Transition(.ringing, .refused, .refused),
        Transition(.ringing, .released, .ended),
        Transition(.ringing, .hangUp, .ended, .hangUp, endReason: .hungUp),
        Transition(.ringing, .timeout, .ended, .hangUp, endReason: .noAnswer),

        // A second 180 after early media changes nothing: the far end is already heard.
        Transition(.earlyMedia, .answered, .connected),
        Transition(.earlyMedia, .refused, .refused),
        Transition(.earlyMedia, .released, .ended),
        Transition(.earlyMedia, .hangUp, .ended, .hangUp, endReason: .hungUp),
        Transition(.earlyMedia, .timeout, .ended, .hangUp, endReason: .noAnswer),

        // The network's tones are for outgoing calls: an incoming call that ends is silent.
        Transition(.incoming, .answer, .connected, .answer),
        Transition(.incoming, .refused, .ended),
        Transition(.incoming, .released, .ended),
        Transition(.incoming, .hangUp, .ended, .hangUp, endReason: .declined),
        Transition(.incoming, .timeout, .ended, .hangUp, endReason: .noAnswer),
        Transition(.incoming, .machine, .machine),

        // The line answers for the machine; the call counts as answered when the user takes it.
        Transition(.machine, .answer, .connected, .takeOver),
        Transition(.machine, .refused, .ended),
        Transition(.machine, .released, .ended),
        Transition(.machine, .hangUp, .ended, .hangUp, endReason: .declined),
        Transition(.machine, .timeout, .ended, .hangUp, endReason: .noAnswer),

        Transition(.connected, .hold, .held, .hold),
        // The line receives its command with the held call.
        Transition(.connected, .join, .joined),
        Transition(.connected, .resumeRefused, .held),
        Transition(.connected, .refused, .ended),
        Transition(.connected, .released, .ended),
        Transition(.connected, .hangUp, .ended, .hangUp, endReason: .hungUp),

        Transition(.joined, .hold, .held, .hold),
        Transition(.joined, .parted, .connected),
        Transition(.joined, .resumeRefused, .held),
        Transition(.joined, .refused, .ended),
        Transition(.joined, .released, .ended),
        Transition(.joined, .hangUp, .ended, .hangUp, endReason: .hungUp),

        Transition(.held, .resume, .connected, .resume),
        Transition(.held, .join, .joined, .join),
        Transition(.held, .holdRefused, .connected),
        Transition(.held, .refused, .ended),
        Transition(.held, .released, .ended),
        Transition(.held, .hangUp, .ended, .hangUp, endReason: .hungUp),

        // The user's other phone has done it: the line needs no command.
        Transition(.dialling, .takenUp, .connected),
        Transition(.ringing, .takenUp, .connected),
        Transition(.incoming, .takenUp, .connected),
        Transition(.held, .takenUp, .connected),
        Transition(.joined, .takenUp, .connected),
        Transition(.connected, .putAside, .held),
        Transition(.joined, .putAside, .held),
        Transition(.connected, .tied, .joined),
        Transition(.held, .tied, .joined),

        // The line is already free.
        Transition(.refused, .released, .ended),
        Transition(.refused, .hangUp, .ended),
        Transition(.refused, .timeout, .ended),
    ]
}
