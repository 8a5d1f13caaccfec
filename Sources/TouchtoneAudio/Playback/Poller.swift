// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA  // poll.h, which Swift takes to be of the first module that includes it
import Glibc

/// The audio thread's one place to wait: for a command, for room in the device's buffer, for a device to appear.
struct Poller: ~Copyable {
    private static let capacity = 16
    private static let firstOfDevice = 2
    private let descriptors: UnsafeMutableBufferPointer<pollfd>

    init() {
        descriptors = .allocate(capacity: Self.capacity)
        descriptors.initialize(repeating: pollfd(fd: -1, events: Int16(POLLIN), revents: 0))
    }

    deinit { descriptors.deallocate() }

    /// Waits until there is something to do or `timeout` seconds are over; nil waits for as long as it takes.
    ///
    /// - Returns: whether `watch` had something to tell. poll(2) passes over a `watch` of nil.
    func wait(wake: WakeEvent, watch: Int32?, device: PCM?, timeout: Double?) -> Bool {
        descriptors[0].fd = wake.descriptor
        descriptors[1].fd = watch ?? -1
        let ofDevice = UnsafeMutableBufferPointer(rebasing: descriptors[Self.firstOfDevice...])
        let count = device?.pollDescriptors(ofDevice) ?? 0
        let milliseconds = timeout.map { Int32(max(0, min($0 * 1000, 1e9)).rounded(.up)) } ?? -1
        for index in 0..<Self.firstOfDevice { descriptors[index].revents = 0 }
        poll(descriptors.baseAddress, nfds_t(Self.firstOfDevice + count), milliseconds)
        if let device { device.acknowledge(UnsafeMutableBufferPointer(rebasing: ofDevice[..<count])) }
        if descriptors[0].revents != 0 { wake.clear() }
        return descriptors[1].revents != 0
    }
}
