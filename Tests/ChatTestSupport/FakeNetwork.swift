// SPDX-License-Identifier: GPL-3.0-or-later

public import GLibBridge

/// A network whose changes the test sets.
public final class FakeNetwork: NetworkWatch {
    /// Whether a network is available.
    public var isAvailable = true
    /// Called by the test after a change.
    public var onChange: (@MainActor (Bool) -> Void)?

    /// Creates a network that is available.
    public init() {}
}
