// SPDX-License-Identifier: GPL-3.0-or-later

/// A value that closures and tasks share with their test, on the main actor.
@MainActor
public final class Variable<Value> {
    /// The current value.
    public var value: Value

    /// Creates a variable with its first value.
    public init(_ value: Value) {
        self.value = value
    }
}
