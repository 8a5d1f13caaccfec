// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// The tone plans, which are files in the folder `tone-plans`.
extension Resources {
    /// The supplied tone plans, sorted by the names of their countries.
    var tonePlans: [(name: String, country: String)] {
        let plans = "\(folder)/tone-plans"
        return Self.names(in: plans).filter { $0.hasSuffix(".plan") }.compactMap { file in
            let name = String(file.dropLast(".plan".count))
            return tonePlan(name).map { (name, $0.country) }
        }.sorted { $0.country < $1.country }
    }

    /// Returns the tone plan with a name, or nil if it is missing or invalid.
    public func tonePlan(_ name: String) -> TonePlan? {
        guard !name.contains("/") else { return nil }
        return Self.content(of: "\(folder)/tone-plans/\(name).plan").flatMap { try? TonePlan($0) }
    }

    /// The fallback for a missing tone plan: that of the United States, the default of the setting.
    var standardTonePlan: TonePlan? { tonePlan("us") }
}
