// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@Suite struct DialRulesTests {
    /// Returns rules with a formatter that knows four numbers.
    private static func rules(prefix: String = "", form: DialRules.Form = .asDialled) -> DialRules {
        DialRules(prefix: prefix, form: form) { number, form in
            switch (number, form) {
            case ("02079460958", .international), ("+442079460958", .international): "+442079460958"
            case ("+442079460958", .national), ("02079460958", .national): "02079460958"
            case ("+33140205050", .national): "0033140205050"
            // In some regions the international prefix depends on the carrier.
            case ("+5511961234567", _): "+5511961234567"
            default: nil
            }
        }
    }

    private func apply(_ text: String, _ rules: DialRules) throws -> String {
        rules.apply(to: try #require(DialledNumber(text))).text
    }

    @Test(arguments: ["5551234", "+442079460958", "*69#", "1,,2;3"]) func emptyRulesChangeNothing(
        _ text: String
    ) throws {
        #expect(try apply(text, DialRules()) == text)
        #expect(try apply(text, Self.rules()) == text)
    }

    @Test(arguments: [
        ("02079460958", DialRules.Form.international, "+442079460958"),
        ("+442079460958", .national, "02079460958"),
        ("999", .international, "999"), ("02079460958,,12;3", .international, "+442079460958,,12;3"),
        ("+442079460958;3", .national, "02079460958;3"),
    ])
    func numberGetsConfiguredForm(_ text: String, form: DialRules.Form, written: String) throws {
        #expect(try apply(text, Self.rules(form: form)) == written)
    }

    @Test(arguments: ["*69", "02079460958#", "*21*02079460958#"]) func codesStayUnchanged(_ text: String)
        throws
    {
        let rules = DialRules(form: .international) { _, _ in "+1" }
        #expect(try apply(text, rules) == text)
    }

    @Test(arguments: [
        ("5551234", DialRules.Form.asDialled, "95551234"), ("+33140205050", .asDialled, "90033140205050"),
        ("+442079460958", .asDialled, "902079460958"), ("02079460958", .international, "902079460958"),
        ("+442079460958,1", .national, "902079460958,1"),
        // No digits can replace this plus, so the number stays without the prefix.
        ("+5511961234567", .asDialled, "+5511961234567"), ("+5511961234567", .national, "+5511961234567"),
    ])
    func prefixedNumberHasNoPlus(_ text: String, form: DialRules.Form, written: String) throws {
        #expect(try apply(text, Self.rules(prefix: "9", form: form)) == written)
    }

    @Test func invalidSettingsAreTolerated() {
        #expect(DialRules(prefix: "", formNamed: "nonsense").form == .asDialled)
        #expect(DialRules(prefix: "", formNamed: "as-dialled").form == .asDialled)
        let rules = DialRules(prefix: "*67#", formNamed: "international")
        #expect(rules.prefix == "*67#" && rules.form == .international)
        for prefix in ["+9", "9 ", "９", "A", String(repeating: "9", count: 21), "9\u{301}"] {
            #expect(DialRules(prefix: prefix, formNamed: "national").prefix == "")
        }
    }

    @Test func formatterIsCalledOnlyForNumbersThatNeedIt() throws {
        var asked: [String] = []
        func apply(_ text: String, _ prefix: String, _ form: DialRules.Form) throws {
            let rules = DialRules(prefix: prefix, form: form) { number, _ in
                asked.append(number)
                return nil
            }
            _ = rules.apply(to: try #require(DialledNumber(text)))
        }
        try apply("5551234", "", .asDialled)
        try apply("+442079460958", "", .asDialled)
        try apply("5551234", "9", .asDialled)
        try apply("*69", "9", .national)
        #expect(asked == [])
        try apply("5551234,9", "", .national)
        try apply("+442079460958", "9", .asDialled)
        #expect(asked == ["5551234", "+442079460958"])
    }

    @Test func numberStaysUnchangedIfResultIsTooLong() throws {
        let text = String(repeating: "5", count: 40)
        #expect(try apply(text, DialRules(prefix: "9")) == text)
        #expect(try apply(text, DialRules(form: .national) { number, _ in number + "5" }) == text)
    }
}
