// SPDX-License-Identifier: GPL-3.0-or-later

/// How numbers are written on a line.
public struct DialRules: Hashable, Sendable {
    /// What becomes of a number's form.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// It stays as it was dialled.
        case asDialled = "as-dialled"
        /// As within the plan's country: `020 7946 0958`, and other countries' behind the plan's prefix for them.
        case national
        /// With `+` and the country's code.
        case international
    }

    /// The numbering plan of the place where the line is.
    public struct Plan: Hashable, Sendable {
        /// The country's code, such as `44`.
        public let country: String
        /// What stands before a number within the country, such as `0`; empty for none.
        public let trunk: String
        /// What stands before other countries' codes, such as `00`; empty where it depends on the carrier, and only a
        /// `+` does.
        public let international: String
        /// How many digits a number within the country has at least, without `trunk`; a shorter one is a service, and
        /// stays as it is.
        public let shortest: Int
        /// How many it has at least where `trunk` does not stand before it; a shorter one is a local number, and stays
        /// as it is.
        public let shortestWithoutTrunk: Int

        /// Creates a plan; each part is digits.
        public init(
            country: String, trunk: String, international: String, shortest: Int,
            shortestWithoutTrunk: Int? = nil
        ) {
            self.country = country
            self.trunk = trunk
            self.international = international
            self.shortest = shortest
            self.shortestWithoutTrunk = shortestWithoutTrunk ?? shortest
        }
    }

    /// What is dialled before every number, such as the `9` of a company's exchange; of digits, `*` and `#`.
    public var prefix: String
    /// What becomes of the number's form.
    public var form: Form
    /// The plan that `form` goes by; without one the form stays.
    public var plan: Plan?

    /// How many characters a prefix has at most.
    public static let longestPrefix = 20

    /// Rules as settings have them, which may be anything.
    ///
    /// - Parameter plan: asked only where the rules need one.
    public init(prefix: String, formNamed form: String, plan: () -> Plan?) {
        let isPrefix =
            prefix.utf8.count <= Self.longestPrefix && prefix.allSatisfy { "0123456789*#".contains($0) }
        self.prefix = isPrefix ? prefix : ""
        self.form = Form(rawValue: form) ?? .asDialled
        self.plan = self.form == .asDialled && self.prefix.isEmpty ? nil : plan()
    }

    /// Creates rules; as they are without arguments they change nothing.
    public init(prefix: String = "", form: Form = .asDialled, plan: Plan? = nil) {
        self.prefix = prefix
        self.form = form
        self.plan = plan
    }

    /// The number as the line is to have it: the number itself where that would be none, or too long for one.
    ///
    /// Codes with `*` or `#` in them are the network's business and get no form, and what comes after a pause is for
    /// the far end and stays.
    public func apply(to number: DialledNumber) -> DialledNumber {
        let main = number.text.prefix { $0 != "," && $0 != ";" }
        let rest = number.text[main.endIndex...]
        let formed = formed(String(main))
        // A plus can stand only first: behind a prefix it is said by the plan's digits.
        let whole: String
        if prefix.isEmpty {
            whole = formed
        } else if formed.hasPrefix("+"), let plan, !plan.international.isEmpty {
            whole = prefix + plan.international + formed.dropFirst()
        } else {
            whole = prefix + formed
        }
        return DialledNumber(whole + rest) ?? number
    }

    private func formed(_ text: String) -> String {
        guard form != .asDialled, let plan, !text.contains("*"), !text.contains("#"),
            let digits = significant(text, plan)
        else { return text }
        switch (form, digits) {
        case (.asDialled, _): return text
        case (.international, .abroad(let digits)): return "+" + digits
        case (.international, .within(let digits)): return "+" + plan.country + digits
        case (.national, .abroad(let digits)):
            return (plan.international.isEmpty ? "+" : plan.international) + digits
        case (.national, .within(let digits)): return plan.trunk + digits
        }
    }

    private enum Digits {
        /// Of the plan's country, without anything before them.
        case within(String)
        /// With another country's code.
        case abroad(String)
    }

    private func significant(_ text: String, _ plan: Plan) -> Digits? {
        func withCountry(_ digits: Substring) -> Digits? {
            guard !digits.isEmpty else { return nil }
            guard digits.hasPrefix(plan.country) else { return .abroad(String(digits)) }
            return .within(String(digits.dropFirst(plan.country.count)))
        }
        if text.hasPrefix("+") { return withCountry(text.dropFirst()) }
        if !plan.international.isEmpty, text.hasPrefix(plan.international) {
            return withCountry(text.dropFirst(plan.international.count))
        }
        let hasTrunk = !plan.trunk.isEmpty && text.hasPrefix(plan.trunk)
        let digits = hasTrunk ? String(text.dropFirst(plan.trunk.count)) : text
        guard digits.count >= (hasTrunk ? plan.shortest : plan.shortestWithoutTrunk) else { return nil }
        return .within(digits)
    }
}
