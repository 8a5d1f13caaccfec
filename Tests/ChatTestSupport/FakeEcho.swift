// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// An echo that only records its calls.
///
/// It is used on the main thread, like the tests that use it.
public final class FakeEcho: EchoOutput, @unchecked Sendable {
    /// The beginnings, mutings and ends.
    public var log = ""
    /// Whether an echo can begin.
    public var hasMicrophone = true

    /// Takes the level of the microphone; nil while nobody measures it.
    public var heard: (@Sendable (Double) -> Void)?

    /// The value of the samples that the microphone hears.
    public var level: Int16 = 0

    /// The number of samples that were taken from echoes that keep them.
    public var taken = 0

    /// Creates an echo with a microphone.
    public init() {}

    /// Records the beginning of an echo.
    public func beginEcho(after delay: Duration, failed: @escaping @Sendable () -> Void) -> any Echo {
        log += "(\(delay)"
        if !hasMicrophone { failed() }
        return Begun(self)
    }

    private final class Begun: Echo, @unchecked Sendable {  // Likewise.
        private let owner: FakeEcho
        private var isOver = false
        private var isKept = false

        init(_ owner: FakeEcho) { self.owner = owner }

        func setMuted(_ isMuted: Bool) { owner.log += isMuted ? "m" : "" }
        func watch(_ heard: (@Sendable (Double) -> Void)?) { owner.heard = heard }
        func setKept(_ isKept: Bool) { self.isKept = isKept }
        func take(_ count: Int) -> EchoSound {
            owner.taken += isKept ? count : 0
            let heard = isKept ? owner.level : 0
            return EchoSound(
                near: [Int16](repeating: heard, count: count),
                far: [Int16](repeating: heard / 2, count: count))
        }
        func stop() {
            if !isOver { owner.log += ")" }
            isOver = true
        }
    }
}
