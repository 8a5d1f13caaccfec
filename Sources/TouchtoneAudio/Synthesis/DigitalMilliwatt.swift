// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The relation between levels in the telephone network and full scale.
///
/// A full-scale sine has +3.14 dBm0 (ITU-T G.711, A-law), so a sine at 0 dBm0 peaks at -3.14 dBFS, and one at
/// -13 dBm0 at -16.14 dBFS.
enum DigitalMilliwatt {
    /// The level of a full-scale sine, in dBm0.
    static let fullScale = 3.14

    /// Returns the peak amplitude of a sine at a level in dBm0; 1 is full scale.
    static func amplitude(_ level: Double) -> Double { pow(10, (level - fullScale) / 20) }
}
