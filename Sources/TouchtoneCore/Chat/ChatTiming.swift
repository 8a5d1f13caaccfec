// SPDX-License-Identifier: GPL-3.0-or-later

/// The time intervals of conversations.
enum ChatTiming {
    /// The time without a key press after which typing counts as paused (XEP-0085 section 5.2).
    static let pause: Duration = .seconds(30)
    /// The time after which a buddy no longer counts as typing unless it reports so again.
    static let maximumTypingTime: Duration = .seconds(120)
    /// The time without a connection after which no buddy is shown as online: most cuts are shorter.
    static let outage: Duration = .seconds(5)
    /// The delay between the first unsaved change of a draft and its saving.
    static let draft: Duration = .seconds(1)
    /// The delay between a change of the roster and its saving.
    static let list: Duration = .seconds(1)
    /// The time after which a reaction is not reported any more.
    static let reaction: Duration = .seconds(24 * 60 * 60)
    /// The first and the longest delay before a failed write to the store is retried.
    static let retries: ClosedRange<Duration> = .seconds(1) ... .seconds(60)
}
