// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of addresses as people read them.
@MainActor
@Suite struct ChatAddressTests {
    @Test(arguments: [
        ("d\\27artagnan@example.org", "d'artagnan@example.org"),
        ("space\\20cadet@example.org", "space cadet@example.org"),
        ("grace\\40navy.example@gateway.example.org", "grace@navy.example@gateway.example.org"),
        ("c\\3a\\5c5commas@example.org", "c:\\5commas@example.org"), ("alan@example.org", "alan@example.org"),
        ("a\\41b\\@example.org", "a\\41b\\@example.org"), ("\\20a@example.org", "\\20a@example.org"),
        ("gateway.example.org", "gateway.example.org"),
    ]) func escapesAreRead(_ address: String, _ shown: String) async throws {
        #expect(ChatAddress(address).shownText == shown)
        let fixture = try await ChatFixture()
        await fixture.goOnline()
        await fixture.tell(received("hello", from: ChatAddress(address)))
        #expect(fixture.chat.buddies.row(of: ChatAddress(address))?.name == shown)
        #expect(fixture.chat.buddies.row(of: ChatAddress(address))?.id.text == address)
    }
}
