// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import HelperSupport

/// The sound that a far end sends, as a count of packets: without it, a call goes on, but the user is told.
struct Silence {
    /// The packets that had arrived at the last look.
    private var count: UInt64 = 0
    /// The time since which none has arrived; nil if none is expected.
    private var since: Instant?
    private var nextLook = Instant.now
    private var isReported = false

    /// The time without a packet that is reported, in milliseconds; for tests, that of `TOUCHTONE_SIP_SILENCE`.
    private static let limit = environment("TOUCHTONE_SIP_SILENCE").flatMap { Int($0) } ?? 60_000
    /// The time between two looks, in milliseconds.
    private static let interval = 1_000

    /// Looks at the packets; returns whether the far end is silent, if that has changed, otherwise nil.
    mutating func check(_ call: Call) -> Bool? {
        let now = Instant.now
        guard nextLook <= now else { return nil }
        nextLook = now.advanced(by: Self.interval)
        let received = Self.received(by: call)
        if received != count || received == nil {
            (count, since) = (received ?? 0, received == nil ? nil : now)
        }
        if since == nil, received != nil { since = now }
        let isSilent = since.map { $0.milliseconds(until: now) >= Self.limit } ?? false
        guard isSilent != isReported else { return nil }
        isReported = isSilent
        return isSilent
    }

    /// The packets that a call has received; nil if it expects none, because someone holds it.
    private static func received(by call: Call) -> UInt64? {
        call.isHeld || call.isHeldByFarEnd ? nil : packets(of: call)
    }

    /// Returns the packets that a running call has received; nil for others, of which liblinphone may not be asked.
    static func packets(of call: Call) -> UInt64? {
        guard linphone_call_get_state(call.handle) == LinphoneCallStateStreamsRunning,
            let transport = linphone_call_get_meta_rtp_transport(call.handle, 0),
            let session = transport.pointee.session, let statistics = rtp_session_get_stats(session)
        else { return nil }
        return statistics.pointee.packet_recv
    }
}
