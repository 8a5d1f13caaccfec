// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// The source tree under test.
public enum Checkout {
    /// The top folder of the source tree.
    public static let folder: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url.path
    }()
}
