// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@Suite @MainActor struct LineChooserTests {
    private let account = FakeLine(id: "work")
    private let tel = FakeLine(id: "tel")
    private let practice = FakeLine(id: "practice")

    private func chooser(_ setting: String = "") -> LineChooser {
        LineChooser([account, tel], last: practice, setting: setting)
    }

    @Test func anAccountComesBeforeTheDesktopsProgramAndThatBeforePractice() {
        #expect(chooser().id == "work")
        account.isAvailable = false
        #expect(chooser().id == "tel")
        tel.isAvailable = false
        #expect(chooser().id == "practice")
        practice.isAvailable = false
        #expect(chooser().id == "practice")
    }

    @Test func theLineThatIsNamedIsUsedEvenWhereItIsNotThere() {
        tel.isAvailable = false
        for id in ["work", "tel", "practice"] { #expect(chooser(id).id == id) }
        #expect(chooser("nonsense").id == "work")
    }

    @Test func aNumberGoesToTheLineThatIsShownUntilAnotherIs() throws {
        let number = try #require(DialledNumber("1"))
        (account.isAvailable, tel.isAvailable) = (false, false)
        let chooser = chooser()
        var shown: [String] = []
        chooser.onChange = { shown.append(chooser.label) }
        tel.isAvailable = true
        #expect(chooser.resolved().id == "practice" && chooser.id == "practice")
        _ = chooser.dial(number)
        #expect(practice.dialled == ["1"] && tel.dialled == [] && shown == [])
        chooser.choose()
        #expect(shown == [tel.label] && chooser.id == "tel")
        _ = chooser.dial(number)
        #expect(tel.dialled == ["1"])
        chooser.setting = "practice"
        chooser.choose()
        #expect(shown.count == 2)
    }
}

@Suite struct DialRulesTests {
    private static let britain = DialRules.Plan(country: "44", trunk: "0", international: "00", shortest: 9)
    private static let america = DialRules.Plan(country: "1", trunk: "1", international: "011", shortest: 10)

    private func apply(_ text: String, _ rules: DialRules) throws -> String {
        rules.apply(to: try #require(DialledNumber(text))).text
    }

    @Test(arguments: ["5551234", "+442079460958", "*69#", "1,,2;3"]) func withoutRulesNothingChanges(
        _ text: String
    ) throws {
        #expect(try apply(text, DialRules()) == text)
    }

    @Test(arguments: [
        ("02079460958", "+442079460958"), ("2079460958", "+442079460958"), ("0033140205050", "+33140205050"),
        ("+33140205050", "+33140205050"), ("999", "999"), ("*69", "*69"), ("020794609#", "020794609#"),
        ("02079460958,,12;3", "+442079460958,,12;3"), ("00", "00"),
    ])
    func international(_ text: String, written: String) throws {
        #expect(try apply(text, DialRules(form: .international, plan: Self.britain)) == written)
    }

    @Test(arguments: [
        ("+442079460958", "02079460958"), ("00442079460958", "02079460958"),
        ("+33140205050", "0033140205050"),
        ("02079460958", "02079460958"), ("999", "999"),
    ])
    func national(_ text: String, written: String) throws {
        #expect(try apply(text, DialRules(form: .national, plan: Self.britain)) == written)
    }

    @Test(arguments: [
        ("5551234", "5551234"), ("5558675309", "+15558675309"), ("15558675309", "+15558675309"),
        ("011442079460958", "+442079460958"),
    ])
    func aPlanWhoseTrunkPrefixIsItsCode(_ text: String, written: String) throws {
        #expect(try apply(text, DialRules(form: .international, plan: Self.america)) == written)
    }

    @Test func thePrefixComesFirstAndAPlusBehindItIsSpelled() throws {
        #expect(try apply("5551234", DialRules(prefix: "9")) == "95551234")
        let rules = DialRules(prefix: "9", plan: Self.britain)
        #expect(try apply("+33140205050", rules) == "90033140205050")
        #expect(
            try apply("+33140205050", DialRules(prefix: "9")) == "+33140205050", "else there is no number")
    }

    @Test(arguments: [
        ("08001111", "+448001111"), ("7946 0958", "79460958"), ("207946095", "207946095"),
        ("02079460958", "+442079460958"),
    ])
    func aLocalNumberIsNoneOfTheCountrys(_ text: String, written: String) throws {
        let plan = DialRules.Plan(
            country: "44", trunk: "0", international: "00", shortest: 7, shortestWithoutTrunk: 10)
        let digits = text.filter { $0 != " " }
        #expect(try apply(digits, DialRules(form: .international, plan: plan)) == written)
    }

    @Test(arguments: [("+33140205050", "+33140205050"), ("1155551234", "01155551234"), ("011", "011")])
    func aPlanThatLeavesTheWayAbroadToTheCarrier(_ text: String, written: String) throws {
        let brazil = DialRules.Plan(country: "55", trunk: "0", international: "", shortest: 8)
        #expect(try apply(text, DialRules(form: .national, plan: brazil)) == written)
        let number = try #require(DialledNumber("+33140205050"))
        #expect(DialRules(prefix: "9", plan: brazil).apply(to: number) == number)
    }

    @Test func settingsMayBeAnything() {
        var asked = 0
        func rules(_ prefix: String, _ form: String) -> DialRules {
            DialRules(prefix: prefix, formNamed: form) {
                asked += 1
                return Self.britain
            }
        }
        #expect(rules("", "as-dialled") == DialRules() && rules("", "nonsense") == DialRules() && asked == 0)
        #expect(rules("9", "as-dialled") == DialRules(prefix: "9", plan: Self.britain))
        #expect(rules("*67#", "international").prefix == "*67#")
        for prefix in ["+9", "9 ", "９", "A", String(repeating: "9", count: 21), "9\u{301}"] {
            #expect(rules(prefix, "national") == DialRules(form: .national, plan: Self.britain))
        }
    }

    @Test func whatWouldBeTooLongStaysAsItIs() throws {
        let text = String(repeating: "5", count: 40)
        #expect(try apply(text, DialRules(prefix: "9")) == text)
    }
}
