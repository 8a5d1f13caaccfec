// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// The address of an X server that never answers, and notices programs that connect to it.
final class WatchedScreen {
    /// The value of `DISPLAY`: X over TCP (RFC 1013), at 6000 and the number.
    let name: String
    private let listener: Int32

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        name = "127.0.0.1:\(try ScriptedRegistrar.bind(listener, to: "127.0.0.1") - 6000)"
        listen(listener, 4)
    }

    deinit { close(listener) }

    /// Whether a program has connected.
    var wasOpened: Bool { waitForInput(listener, until: Date(timeIntervalSinceNow: 0.05)) }
}
