// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// An open device of the kernel, which is closed when it is released.
final class DeviceFile: Sendable {
    let descriptor: Int32
    /// Whether it can be written, as the lamps need it.
    let isWritable: Bool

    /// Opens a device, which may wake it and take a while; nil if the user may not read it, or if it has gone.
    init?(_ path: String) {
        let flags = O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        var opened = open(path, O_RDWR | flags)
        isWritable = opened >= 0
        if opened < 0 { opened = open(path, O_RDONLY | flags) }
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Reads what the device has sent; empty for nothing now, and nil if it has gone.
    func read() -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.room) { buffer, count in
            let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            failed = got == 0 || got < 0 && errno != EAGAIN && errno != EINTR
            count = max(0, got)
        }
        return failed ? nil : bytes
    }

    /// Writes a report, and waits for the device; one that it does not take is lost.
    func write(_ report: [UInt8]) { _ = Glibc.write(descriptor, report, report.count) }

    private static let room = 4096
}

/// Reads the start of a file of the kernel, which describes a device.
func readDescription(_ path: String, maximum: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= maximum {
        let got = read(descriptor, &buffer, buffer.count)
        guard got > 0 else { break }
        bytes += buffer.prefix(got)
    }
    return bytes
}
