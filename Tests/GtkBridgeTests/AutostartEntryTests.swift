// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import Testing

/// Tests of the texts of autostart entries, those of other programs included.
@Suite struct AutostartEntryTests {
    private static let own = AutostartEntry(
        name: "Phone", icon: "phone", program: #"/a b/50%/$x\y"z"#, argument: "--background")

    @Test func programIsQuoted() {
        // The quoting of Exec is escaped again, as every value is.
        #expect(Self.own.text.contains(##"Exec="/a b/50%%/\\$x\\\\y\\"z" --background"## + "\n"))
        #expect(Self.own.text.contains(##"TryExec=/a b/50%/$x\\y"z"## + "\n"))
        #expect(Self.own.isOn)
        #expect(Self.own.isOwn)
    }

    @Test(arguments: [
        ("[Desktop Entry]\nExec=phone\n", true),
        ("[Desktop Entry]\nExec=phone\nHidden=true\n", false),
        ("# mine\n[Desktop Entry]\n Hidden = true \nExec=phone", false),
        ("[Desktop Entry]\nHidden=false\nX-GNOME-Autostart-enabled=false\n", false),
        ("[Desktop Entry]\nExec=phone\n[Desktop Action a]\nHidden=true\n", true),
        ("", true), ("Hidden=true", false), ("=\n==\n[", true),
    ])
    func stateIsRead(text: String, isOn: Bool) {
        let entry = AutostartEntry(text)
        #expect(entry.isOn == isOn)
        #expect(!entry.isOwn)
    }

    @Test func switchingChangesOnlyTheState() {
        let text = "# mine\n[Desktop Entry]\nName=Mine\n[Desktop Action a]\nHidden=true\n"
        let off = AutostartEntry(text).switched(on: false)
        #expect(
            off.text == "# mine\n[Desktop Entry]\nHidden=true\nName=Mine\n[Desktop Action a]\nHidden=true\n")
        #expect(!off.isOn)
        #expect(off.switched(on: false) == off)
        #expect(off.switched(on: true).text == text)
        let disabled = AutostartEntry("[Desktop Entry]\nX-GNOME-Autostart-enabled=false\nExec=phone")
        #expect(disabled.switched(on: true).text == "[Desktop Entry]\nExec=phone")
    }
}
