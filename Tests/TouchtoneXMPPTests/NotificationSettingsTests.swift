// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

/// Tests of the choices in a bookmark.
@Suite struct NotificationSettingsTests {
    private func bookmark(_ choices: String) throws -> XMLElement {
        try XMLElementTests.read(
            """
            <conference xmlns='urn:xmpp:bookmarks:1' autojoin='true'><nick>g</nick><extensions><a xmlns='urn:a'/>\
            <notify xmlns='urn:xmpp:notification-settings:1'>\(choices)</notify><b xmlns='urn:b'>x</b></extensions>\
            </conference>
            """)
    }

    @Test(
        arguments: [
            ("", nil), ("<sometimes/>", nil), ("<never xmlns='urn:x'/>", nil), ("<never/>", .never),
            ("<on-mention/>", .onMention), ("<always/><never/>", .always),
            ("<never identity-category='client' identity-type='pc'/>", nil),
            ("<never identity-type='phone'/><always/>", .always),
            ("<never/><always identity-category='client'/>", .always),
            (
                "<always identity-category='client'/><on-mention identity-type='phone' identity-category='client'/><never/>",
                .onMention
            ),
        ] as [(String, NotificationLevel?)])
    func closestChoiceCounts(_ choices: String, _ level: NotificationLevel?) throws {
        #expect(NotificationSettings.level(in: try bookmark(choices)) == level)
    }

    @Test(arguments: NotificationLevel.allCases)
    func otherSettingsStay(_ level: NotificationLevel) throws {
        let other =
            "<never identity-category='client' identity-type='pc'/><advanced><x xmlns='urn:x'/></advanced>"
        let advanced = "<always identity-category='client'><advanced><y xmlns='urn:y'/></advanced></always>"
        let before = try bookmark(other + advanced)
        let after = NotificationSettings.setting(level, in: before)
        #expect(NotificationSettings.level(in: after) == level)
        #expect(after["autojoin"] == "true" && after.child("nick")?.text == "g")
        let extensions = try #require(after.child("extensions"))
        #expect(extensions.children.map(\.name) == ["a", "notify", "b"])
        let text = after.serialized(in: "")
        for kept in ["urn:a", "urn:b", "identity-type", "urn:x", "urn:y"] { #expect(text.contains(kept)) }
        #expect(NotificationSettings.setting(level, in: after) == after)
        // Programs that know nothing of this one's kind find the choice, too.
        let new = NotificationSettings.setting(level, in: XMLElement("conference", PubSub.bookmarks))
        #expect(NotificationSettings.level(in: new) == level)
        #expect(new.serialized(in: "").contains("identity") == false)
    }
}
