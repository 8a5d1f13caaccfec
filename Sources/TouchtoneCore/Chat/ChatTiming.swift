// SPDX-License-Identifier: GPL-3.0-or-later

/// How long things take in a conversation.
enum ChatTiming {
    /// After so long without a key, who has been typing pauses (XEP-0085 section 5.2).
    static let pause: Duration = .seconds(30)
    /// So long is a buddy believed to be typing that says nothing more.
    static let maximumTypingTime: Duration = .seconds(120)
    /// A draft is kept so long after it was last changed.
    static let draft: Duration = .seconds(1)
    /// The list of buddies is kept so long after it was last changed.
    static let list: Duration = .seconds(1)
    /// What the store did not take is tried again after so long, and then after ever longer.
    static let retries: ClosedRange<Duration> = .seconds(1) ... .seconds(60)
}
