// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
public import TouchtoneCore

/// The kernel's own account of how long the machine has been running.
///
/// It is read from `/proc`, where it includes the time that the machine was suspended, rather than asked of the C
/// library, which a preloaded library can have tell another time.
public struct SystemBootClock: BootClock {
    private let boot: String
    private let uptimePath: String

    /// The clock of this machine.
    public init() { self.init(folder: "/proc") }

    init(folder: String) {
        uptimePath = "\(folder)/uptime"
        let id = Self.read("\(folder)/sys/kernel/random/boot_id")?.split(separator: "\n").first.map(
            String.init)
        // Without an id, no moment of another process can be compared with one of this.
        boot = id ?? "process-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    }

    /// Now, to a hundredth of a second.
    public var moment: BootMoment { BootMoment(boot: boot, time: time) }

    private var time: Duration {
        if let seconds = Self.read(uptimePath)?.split(separator: " ").first.flatMap({ Double($0) }),
            seconds >= 0, seconds < 1e9
        {
            return .milliseconds(Int64(seconds * 1000))
        }
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
