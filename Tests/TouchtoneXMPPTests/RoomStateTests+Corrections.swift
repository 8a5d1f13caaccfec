// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@testable import TouchtoneXMPP

// Tests of what proves the sender of a correction.
extension RoomStateTests {
    private static let earlier = ChatTime(milliseconds: now.milliseconds - 5)

    /// Some clients name the previous correction.
    @Test func correctionMayNamePreviousOne() throws {
        let replace = { (id: String) in "<replace xmlns='urn:xmpp:message-correct:0' id='\(id)'/>" }
        var state = try inside()
        _ = try said(&state, "alan", id: "1", at: Self.earlier)
        _ = try said(&state, "alan", id: "2", inner: replace("1"))
        #expect(
            try said(&state, "alan", id: "3", inner: replace("2"))?.relation
                == .corrects("2", proof: .stay(Self.earlier)))
        #expect(
            try said(&state, "ada", id: "4", inner: replace("3"))?.relation
                == .corrects("3", proof: .nothing))
    }
}
