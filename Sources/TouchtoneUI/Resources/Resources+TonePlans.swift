// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
public import TouchtoneCore

/// The tone plans, which are files in the folder `tone-plans`.
extension Resources {
    /// The supplied tone plans, sorted by the names of their countries in the user’s language.
    var tonePlans: [(name: String, country: String)] {
        let plans = "\(folder)/tone-plans"
        return Self.names(in: plans).filter { $0.hasSuffix(".plan") }.compactMap { file in
            let name = String(file.dropLast(".plan".count))
            return tonePlan(name).map { (name, Self.translated($0.country)) }
        }.sorted { g_utf8_collate($0.country, $1.country) < 0 }
    }

    /// Returns the name of a supplied plan’s country in the user’s language; other names are returned unchanged.
    private static func translated(_ country: String) -> String {
        switch country {
        case "France": localizedIn("country of a tone plan", "France")
        case "Germany": localizedIn("country of a tone plan", "Germany")
        case "Italy": localizedIn("country of a tone plan", "Italy")
        case "ITU default": localizedIn("country of a tone plan", "ITU default")
        case "Japan": localizedIn("country of a tone plan", "Japan")
        case "United Kingdom": localizedIn("country of a tone plan", "United Kingdom")
        case "United States": localizedIn("country of a tone plan", "United States")
        default: country
        }
    }

    /// Returns the tone plan with a name, or nil if it is missing or invalid.
    public func tonePlan(_ name: String) -> TonePlan? {
        guard !name.contains("/") else { return nil }
        return Self.content(of: "\(folder)/tone-plans/\(name).plan").flatMap { try? TonePlan($0) }
    }

    /// The fallback for a missing tone plan: that of the United States, the default of the setting.
    var standardTonePlan: TonePlan? { tonePlan("us") }
}
