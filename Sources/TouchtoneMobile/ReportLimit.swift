// SPDX-License-Identifier: GPL-3.0-or-later

/// A limit on the calls that all phones report in a time: a broken phone, or service, may invent any number.
@MainActor
final class ReportLimit {
    /// The greatest number of calls in a time.
    static let rate = 20
    static let time = Duration.seconds(60)

    private var reports: [Duration] = []

    /// Returns whether one more call may be reported now, and counts it if so.
    func takes(at now: Duration) -> Bool {
        reports.removeAll { $0 + Self.time <= now }
        guard reports.count < Self.rate else { return false }
        reports.append(now)
        return true
    }
}
