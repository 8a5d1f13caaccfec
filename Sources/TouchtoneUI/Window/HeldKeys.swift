// SPDX-License-Identifier: GPL-3.0-or-later

/// The keys of the keyboard that are down, by their hardware codes.
struct HeldKeys {
    /// What a press of a key is.
    enum Press: Hashable {
        /// The key goes down.
        case first
        /// It repeats itself.
        case again
        /// It repeats itself, and went down before the phone locked or opened: it means neither of what is there now.
        case stale
        /// It repeats itself, and went down while the window did not have the focus: it was typed somewhere else.
        case carried
    }

    private var down: Set<UInt32> = []
    private var stale: Set<UInt32> = []
    private var carried: Set<UInt32> = []

    /// A key goes down, or repeats itself.
    mutating func press(_ code: UInt32) -> Press {
        let isFirst = down.insert(code).inserted
        if stale.contains(code) { return .stale }
        return carried.contains(code) ? .carried : isFirst ? .first : .again
    }

    /// A key comes up.
    mutating func release(_ code: UInt32) {
        down.remove(code)
        stale.remove(code)
        carried.remove(code)
    }

    /// The phone locks or opens.
    mutating func turnStale() { stale = down }

    /// The window gets the focus while these are down, or loses it, and hears of no release any more.
    mutating func begin(with keys: Set<UInt32>) { (down, stale, carried) = (keys, [], keys) }
}
