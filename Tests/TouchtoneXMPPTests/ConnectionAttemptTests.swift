// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing
import TouchtoneCore
@testable import TouchtoneXMPP

/// Tests of what an attempt to connect leaves behind: a phone whose connection is cut makes one each time.
@MainActor
struct ConnectionAttemptTests {
    private let clock = WeakScheduler()

    @Test func attemptKeepsNoTimer() async throws {
        await attempt { $0() }
        #expect(clock.count == 2, "one for the earlier messages, and one for the servers of the domain")
        #expect(clock.kept.isEmpty)
    }

    @Test func attemptKeepsNoTimerThatHasFired() async throws {
        var saved: (@MainActor () -> Void)?
        await attempt { [clock] in
            saved = $0
            clock.fireAll()
        }
        // Saving ends too late, and changes nothing.
        saved?()
        saved = nil
        #expect(clock.count == 1)
        #expect(clock.kept.isEmpty)
    }

    /// Tries to resume a stream at a domain without servers.
    private func attempt(
        settled: @escaping @MainActor (@escaping @MainActor () -> Void) -> Void
    ) async {
        guard let jid = JID("grace@localhost/phone") else { return }
        let attempt = ConnectionAttempt(
            account: XMPPAccount(jid: jid, password: "secret"), resource: "phone", clock: clock,
            lookup: FakeLookup([]), timeouts: Timeouts(), memory: SignInCache(),
            device: SignInDevice(id: ""),
            resumption: Resumption(
                management: StreamManagement(id: "previous"), jid: jid,
                features: StreamFeatures(XMLElement("features", Namespace.stream))),
            settled: settled, acknowledged: { _ in })
        await #expect(throws: XMPPError.self) { try await attempt.run() }
    }
}

/// A scheduler that leaves its timers to those who set them.
@MainActor
private final class WeakScheduler: Scheduler {
    let now = Duration.zero
    private var timers: [() -> Timer?] = []

    /// The number of timers that were set.
    var count: Int { timers.count }
    /// The timers that somebody still has.
    var kept: [Timer] { timers.compactMap { $0() } }

    func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> any ScheduledTimer {
        let timer = Timer(action)
        timers.append { [weak timer] in timer }
        return timer
    }

    func fireAll() {
        for timer in kept { timer.fire() }
    }

    /// A timer that keeps its action after its end, as that of the main loop does.
    final class Timer: ScheduledTimer {
        private let action: @MainActor () -> Void
        private var isSet = true

        init(_ action: @escaping @MainActor () -> Void) { self.action = action }

        func cancel() { isSet = false }

        func fire() {
            guard isSet else { return }
            isSet = false
            action()
        }
    }
}
