// SPDX-License-Identifier: GPL-3.0-or-later

/// The pressed keys of the keyboard, by their hardware key codes.
struct HeldKeys {
    enum Press: Hashable {
        case first
        case again
        /// An auto-repeat of a key that was pressed before the phone was locked or unlocked, and does not apply now.
        case stale
        /// An auto-repeat of a key that was pressed while a different window had the focus.
        case carried
    }

    private var down: Set<UInt32> = []
    private var stale: Set<UInt32> = []
    private var carried: Set<UInt32> = []

    mutating func press(_ code: UInt32) -> Press {
        let isFirst = down.insert(code).inserted
        if stale.contains(code) { return .stale }
        return carried.contains(code) ? .carried : isFirst ? .first : .again
    }

    mutating func release(_ code: UInt32) {
        down.remove(code)
        stale.remove(code)
        carried.remove(code)
    }

    /// Marks the pressed keys as stale, when the phone is locked or unlocked.
    mutating func turnStale() { stale = down }

    /// Resets the state when the window gains the focus, with the keys that are pressed then, or loses it.
    mutating func begin(with keys: Set<UInt32>) { (down, stale, carried) = (keys, [], keys) }
}
