// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import Glibc
import HelperSupport
import SIPMessages

/// The loop that waits for commands and for liblinphone's sockets, so that it rests although liblinphone has
/// to be called regularly.
final class EventLoop {
    private let phone: PhoneConnection<SIPHelper>
    private var engine: Engine?
    private var sockets = SIPSockets()
    private var lastWork = Instant.now
    private var busyUntil = Instant.now

    /// The time between calls of liblinphone during a call or another transaction, in milliseconds.
    private static let busyInterval = 20
    /// The time between calls of liblinphone at rest, in milliseconds, by which it may delay renewals.
    private static let restingInterval = 5_000
    /// The time for which the engine is busy after something happened, in milliseconds.
    private static let settlingTime = 200
    /// The least time between packets that are handled at once, in milliseconds; others wait for this long.
    private static let packetInterval = 2
    /// The longest time for unregistering at the end, in milliseconds.
    private static let farewell = 2_000

    init(phone: PhoneConnection<SIPHelper>) { self.phone = phone }

    /// Runs until the phone closes the connection.
    func run() {
        while step() {}
        engine?.beginToStop()
        let end = Instant.now.advanced(by: Self.farewell)
        while let engine, !engine.hasStopped, Instant.now < end {
            _ = engine.work()
            phone.flush()
            usleep(useconds_t(Self.busyInterval) * 1_000)
        }
        engine?.release()
    }

    /// Waits for the next event and handles it; returns false when the phone has closed the connection.
    private func step() -> Bool {
        let now = Instant.now
        let sincePacket = lastWork.milliseconds(until: now)
        let listens = sincePacket >= Self.packetInterval
        var timeout = -1
        if let engine {
            let interval =
                engine.isBusy || now < busyUntil
                ? Self.busyInterval : engine.restingInterval(Self.restingInterval)
            timeout = max(0, interval - sincePacket)
            if !listens { timeout = min(timeout, Self.packetInterval) }
        }
        var polled = [pollfd(fd: phone.descriptor, events: Int16(POLLIN), revents: 0)]
        if phone.hasUnsent { polled[0].events |= Int16(POLLOUT) }
        if let engine, listens {
            let descriptors = sockets.all + [engine.endpoint.descriptor].compactMap(\.self)
            polled += descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        }
        let ready = poll(&polled, nfds_t(polled.count), Int32(timeout))
        var wasCommanded = false
        if ready > 0, polled[0].revents != 0 {
            if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                guard phone.receive(start: start, execute: { engine?.execute($0, $1) }) else {
                    return false
                }
                wasCommanded = true
            }
        }
        let inputs = polled.dropFirst().filter { $0.revents != 0 }.map(\.fd)
        // A closed socket would be ready all the time.
        let isStale = polled.dropFirst().contains { $0.revents & Int16(POLLNVAL | POLLERR | POLLHUP) != 0 }
        work(inputs: inputs, wasCommanded: wasCommanded, isStale: isStale)
        phone.flush()
        return true
    }

    private func work(inputs: [Int32], wasCommanded: Bool, isStale: Bool) {
        guard let engine else { return }
        // A command may have replaced the socket, which has no filter then.
        if wasCommanded { updateSockets(of: engine) }
        // Without a call, liblinphone sends the endpoint nothing but what keeps its port open.
        let isNews = inputs.contains { $0 != engine.endpoint.descriptor } || engine.endpoint.isBusy
        if isNews || wasCommanded {
            busyUntil = Instant.now.advanced(by: Self.settlingTime)
        }
        let isDue = lastWork.milliseconds(until: .now) >= Self.busyInterval
        var hasChanged = wasCommanded
        if !inputs.isEmpty || wasCommanded || isDue {
            lastWork = .now
            hasChanged = engine.work(sources: sockets.sources()) || wasCommanded
        }
        // During a call, the sockets change only when the engine reports something.
        if !engine.hasCalls || hasChanged || isStale {
            updateSockets(of: engine)
        }
    }

    private func updateSockets(of engine: Engine) {
        let port = engine.sipPort
        engine.endpoint.connect(to: port)
        sockets.update(
            sipPort: port, allowed: engine.trustedAddresses, callers: engine.callerAddresses,
            acceptsDirectCalls: engine.acceptsDirectCalls, endpoint: engine.endpoint.port ?? 0)
    }

    private func start(_ configuration: SIPConfiguration) -> Bool {
        engine = Engine(configuration: configuration) { [phone] in phone.send($0) }
        return engine != nil
    }
}
