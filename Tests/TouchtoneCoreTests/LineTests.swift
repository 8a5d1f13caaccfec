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
        let number = RemoteParty(try #require(DialledNumber("1")))
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
