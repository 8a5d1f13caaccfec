// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// The source tree that the tests are of.
public enum Checkout {
    /// Its top folder.
    public static let folder: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url.path
    }()
}
