// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// An echo that only records its calls.
final class FakeEcho: EchoOutput, @unchecked Sendable {  // On the main thread, like the tests that use it.
    var log = ""
    var hasMicrophone = true

    func beginEcho(after delay: Duration, failed: @escaping @Sendable () -> Void) -> any Echo {
        log += "(\(delay)"
        if !hasMicrophone { failed() }
        return Begun(self)
    }

    private final class Begun: Echo, @unchecked Sendable {  // Likewise.
        private let owner: FakeEcho
        private var isOver = false

        init(_ owner: FakeEcho) { self.owner = owner }

        func setMuted(_ isMuted: Bool) { owner.log += isMuted ? "m" : "" }
        func stop() {
            if !isOver { owner.log += ")" }
            isOver = true
        }
    }
}
