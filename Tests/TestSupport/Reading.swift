// SPDX-License-Identifier: GPL-3.0-or-later

public import Foundation

/// Waits until a descriptor has input or its other end is closed; false if neither happens in time.
public func waitForInput(_ descriptor: Int32, until deadline: Date) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let rest = deadline.timeIntervalSinceNow
    return rest > 0 && poll(&polled, 1, Int32(rest * 1_000) + 1) > 0
}

/// Returns the next bytes of a socket or a pipe; nil if none come in time, or its other end is closed.
public func readBytes(from descriptor: Int32, until deadline: Date) -> ArraySlice<UInt8>? {
    guard waitForInput(descriptor, until: deadline) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes.prefix(count) : nil
}
