// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The writer of reports on the running phone, for the bus and for Preferences.
@MainActor
final class Reporter {
    private let dependencies: PhoneDependencies
    private let version: String
    private let problems: RecentProblems

    /// Begins to note problems; `version` is that of the program.
    init(_ dependencies: PhoneDependencies, version: String) {
        (self.dependencies, self.version) = (dependencies, version)
        problems = RecentProblems(dependencies)
    }

    /// The report without the sound devices, which take a while to list.
    var text: String { report.text }

    func wholeText() async -> String {
        var report = report
        if let devices = dependencies.devices {
            report.add(await devices.devices(), await devices.microphones())
        }
        return report.text
    }

    private var report: PhoneReport {
        var report = PhoneReport(version: version, facts: dependencies.facts())
        report.add(dependencies, problems: problems.texts)
        return report
    }
}
