// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// How the levels of the telephone network stand beside full scale.
///
/// A sine at full scale is at +3.14 dBm0 (ITU-T G.711, A-law), so a sine at 0 dBm0 has its peak at -3.14 dBFS, and
/// one at -13 dBm0 at -16.14 dBFS.
enum DigitalMilliwatt {
    /// The level of a sine at full scale, in dBm0.
    static let fullScale = 3.14

    /// The peak amplitude of a sine at a level in dBm0, where 1 is full scale.
    static func amplitude(_ level: Double) -> Double { pow(10, (level - fullScale) / 20) }
}
