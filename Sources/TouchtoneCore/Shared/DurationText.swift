// SPDX-License-Identifier: GPL-3.0-or-later

public enum DurationText {
    /// Returns minutes and seconds, such as `0:42`, and hours from the first one on, such as `1:02:03`.
    public static func text(seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, seconds) = (seconds / 60, seconds % 60)
        guard minutes >= 60 else { return "\(minutes):\(two(seconds))" }
        return "\(minutes / 60):\(two(minutes % 60)):\(two(seconds))"
    }
}
