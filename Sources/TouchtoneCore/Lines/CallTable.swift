// SPDX-License-Identifier: GPL-3.0-or-later

/// All that can happen to a call, as data: what is in no row changes nothing.
enum CallTable {
    /// What happens to a call.
    enum Trigger: Hashable, Sendable, CaseIterable {
        // What people do.
        case dial, answer, hangUp, hold, resume, join
        // What its line tells: `refused` is an end that the network has a tone for.
        case offered, ringing, earlyMedia, answered, holdRefused, resumeRefused, refused, released
        // The phase has lasted as long as it may.
        case timeout
        // The call that it was joined with is over, or waits.
        case parted
    }

    /// What the line is told.
    enum Order: Hashable, Sendable {
        case answer, hangUp, hold, resume, join
    }

    /// What a trigger makes of a phase.
    struct Row: Sendable {
        let phase: CallPhase
        let trigger: Trigger
        let next: CallPhase
        /// What the line is told.
        var order: Order?
        /// Why the call ends, where that is not the trigger's to say.
        var end: CallEnd?

        init(
            _ phase: CallPhase, _ trigger: Trigger, _ next: CallPhase, _ order: Order? = nil,
            end: CallEnd? = nil
        ) {
            self.phase = phase
            self.trigger = trigger
            self.next = next
            self.order = order
            self.end = end
        }
    }

    /// The row of a phase and a trigger; nil where the trigger changes nothing.
    static func row(_ phase: CallPhase, _ trigger: Trigger) -> Row? { index[phase]?[trigger] }

    private static let index: [CallPhase: [Trigger: Row]] = Dictionary(grouping: rows, by: \.phase)
        .mapValues { Dictionary($0.map { ($0.trigger, $0) }, uniquingKeysWith: { first, _ in first }) }

    static let rows: [Row] = [
        Row(.idle, .dial, .dialling),
        Row(.idle, .offered, .incoming),

        Row(.dialling, .ringing, .ringing),
        Row(.dialling, .earlyMedia, .earlyMedia),
        Row(.dialling, .answered, .connected),
        Row(.dialling, .refused, .refused),
        Row(.dialling, .released, .ended),
        Row(.dialling, .hangUp, .ended, .hangUp, end: .hungUp),
        Row(.dialling, .timeout, .refused, .hangUp, end: .network),

        Row(.ringing, .earlyMedia, .earlyMedia),
        Row(.ringing, .answered, .connected),
        Row(.ringing, .refused, .refused),
        Row(.ringing, .released, .ended),
        Row(.ringing, .hangUp, .ended, .hangUp, end: .hungUp),
        Row(.ringing, .timeout, .ended, .hangUp, end: .noAnswer),

        // A second 180 after early media changes nothing: the far end is heard already.
        Row(.earlyMedia, .answered, .connected),
        Row(.earlyMedia, .refused, .refused),
        Row(.earlyMedia, .released, .ended),
        Row(.earlyMedia, .hangUp, .ended, .hangUp, end: .hungUp),
        Row(.earlyMedia, .timeout, .ended, .hangUp, end: .noAnswer),

        // The network's tones are for who calls: a caller who is gone is only gone.
        Row(.incoming, .answer, .connected, .answer),
        Row(.incoming, .refused, .ended),
        Row(.incoming, .released, .ended),
        Row(.incoming, .hangUp, .ended, .hangUp, end: .declined),
        Row(.incoming, .timeout, .ended, .hangUp, end: .noAnswer),

        Row(.connected, .hold, .held, .hold),
        // The line is told by way of the call that waited.
        Row(.connected, .join, .joined),
        Row(.connected, .resumeRefused, .held),
        Row(.connected, .refused, .ended),
        Row(.connected, .released, .ended),
        Row(.connected, .hangUp, .ended, .hangUp, end: .hungUp),

        Row(.joined, .hold, .held, .hold),
        Row(.joined, .parted, .connected),
        Row(.joined, .resumeRefused, .held),
        Row(.joined, .refused, .ended),
        Row(.joined, .released, .ended),
        Row(.joined, .hangUp, .ended, .hangUp, end: .hungUp),

        Row(.held, .resume, .connected, .resume),
        Row(.held, .join, .joined, .join),
        Row(.held, .holdRefused, .connected),
        Row(.held, .refused, .ended),
        Row(.held, .released, .ended),
        Row(.held, .hangUp, .ended, .hangUp, end: .hungUp),

        // The line is free already.
        Row(.refused, .released, .ended),
        Row(.refused, .hangUp, .ended),
        Row(.refused, .timeout, .ended),
    ]
}
