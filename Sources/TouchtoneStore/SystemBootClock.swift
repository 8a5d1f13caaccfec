// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
public import TouchtoneCore

/// A clock that reads the kernel's count of how long the machine has been running.
///
/// The time comes from `/proc`, where it includes suspension, and not from the C library, which a preloaded library can
/// override.
public struct SystemBootClock: BootClock {
    private let boot: String
    private let uptimePath: String

    public init() { self.init(folder: "/proc") }

    init(folder: String) {
        uptimePath = "\(folder)/uptime"
        let id = Self.read("\(folder)/sys/kernel/random/boot_id")?.split(separator: "\n").first.map(
            String.init)
        // Without a boot id, times of different processes cannot be compared.
        boot = id ?? "process-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    }

    /// The current time since boot, to a hundredth of a second.
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
        let bytes = try? PrivateFile.read(from: descriptor, atMost: 128)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}
