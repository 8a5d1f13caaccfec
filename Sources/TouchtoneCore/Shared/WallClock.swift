// SPDX-License-Identifier: GPL-3.0-or-later

/// A source of wall-clock time, which is not monotonic: the system’s in the program, a manual one in tests.
@MainActor
public protocol WallClock: AnyObject {
    var now: ChatTime { get }
}
