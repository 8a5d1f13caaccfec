// SPDX-License-Identifier: GPL-3.0-or-later

public enum DurationText {
    /// Returns minutes and seconds, such as `0:42`, and hours from the first one on, such as `1:02:03`.
    public static func text(seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, seconds) = (seconds / 60, seconds % 60)
        guard minutes >= 60 else { return "\(minutes):\(two(seconds))" }
        return "\(minutes / 60):\(two(minutes % 60)):\(two(seconds))"
    }

    /// Returns a length as `text(seconds:)` does, rounded to whole seconds.
    public static func text(_ length: Duration) -> String {
        text(seconds: Int((length / .seconds(1)).rounded()))
    }
}

extension Duration {
    /// Returns a place in something as a part of its length, 0...1; 0 if it has none.
    public func part(of length: Duration) -> Double {
        length > .zero ? min(1, max(0, self / length)) : 0
    }
}
