// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

/// Libraries that take long to load, and are seldom needed, are not part of each start.
@Suite struct LinkedLibrariesTests {
    @Test(arguments: [
        "libsndfile", "libsoup", "libebook", "libphonenumber", "libicu", "liblinphone", "libqrencode",
        "libzbar", "libsqlcipher", "libpulse",
    ])
    func startDoesNotLoad(_ library: String) throws {
        let loaded = try output(of: ["ldd", "\(Checkout.folder)/.build/debug/touchtone"])
        #expect(loaded.contains("libgtk-3.so.0"))
        #expect(!loaded.contains(library))
    }
}
