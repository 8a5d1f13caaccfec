// SPDX-License-Identifier: GPL-3.0-or-later

/// A value that closures and tasks share with their test, on the main actor.
@MainActor
public final class Variable<Value> {
    /// What it is now.
    public var value: Value

    /// Creates it with its first value.
    public init(_ value: Value) {
        self.value = value
    }
}
