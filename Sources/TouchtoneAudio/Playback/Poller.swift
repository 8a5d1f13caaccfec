// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA  // poll.h, which Swift attributes to the first module that includes it
import Glibc

/// The only wait of the audio thread: for a command, for room in the device's buffer, or for a device to appear.
struct Poller: ~Copyable {
    struct Finding {
        var watchHasNews = false
        var deviceHasFailed = false
    }

    private static let capacity = 16
    private static let firstOfDevice = 2
    private let descriptors: UnsafeMutableBufferPointer<pollfd>

    init() {
        descriptors = .allocate(capacity: Self.capacity)
        descriptors.initialize(repeating: pollfd(fd: -1, events: Int16(POLLIN), revents: 0))
    }

    deinit { descriptors.deallocate() }

    /// Waits for work, at most `timeout` seconds, or forever if nil; a nil `watch` or `device` is left out.
    func wait(wake: WakeEvent, watch: Int32?, device: PCM?, timeout: Double?) -> Finding {
        descriptors[0].fd = wake.descriptor
        descriptors[1].fd = watch ?? -1
        let ofDevice = UnsafeMutableBufferPointer(rebasing: descriptors[Self.firstOfDevice...])
        let count = device?.pollDescriptors(ofDevice) ?? 0
        let milliseconds = timeout.map { Int32(max(0, min($0 * 1000, 1e9)).rounded(.up)) } ?? -1
        for index in 0..<Self.firstOfDevice { descriptors[index].revents = 0 }
        poll(descriptors.baseAddress, nfds_t(Self.firstOfDevice + count), milliseconds)
        var finding = Finding(watchHasNews: descriptors[1].revents != 0)
        if descriptors[0].revents != 0 { wake.clear() }
        if let device {
            let events = device.events(in: UnsafeMutableBufferPointer(rebasing: ofDevice[..<count]))
            finding.deviceHasFailed = events & Int32(POLLERR | POLLHUP | POLLNVAL) != 0
        }
        return finding
    }
}
