// SPDX-License-Identifier: GPL-3.0-or-later

/// Prints a figure, and whether it is within its limit.
func report(_ what: String, _ value: Double, _ reach: Double?, unit: String = "ms") {
    let name = what.padding(to: 50)
    let figure = String(Int(value * 10)).count > 1 ? "\(Double(Int(value * 10)) / 10)" : "\(value)"
    let verdict = reach.map { "   reach \(Int($0)) \(unit) \(value <= $0 ? "met" : "MISSED")" } ?? ""
    print("\(name)\(figure) \(unit)\(verdict)")
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
