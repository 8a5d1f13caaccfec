// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

/// Tests of places in messages (RFC 5870).
@Suite struct GeoURITests {
    @Test(arguments: [
        ("geo:52.5163,13.3777", "52.5163, 13.3777"), ("GEO:-90,180", "-90, 180"),
        ("geo:52.516312345,13.377712345,20;u=35;crs=WGS84", "52.51631, 13.37771"),
        ("geo:0,0?q=0,0(A+place)", "0, 0"),
    ])
    func addressesAreRead(_ text: String, _ coordinates: String) throws {
        let place = try #require(GeoURI(text))
        #expect(place.coordinates == coordinates)
    }

    @Test(arguments: [
        "geo:", "geo:1", "geo:1,", "geo:,1", "geo:91,0", "geo:0,181", "geo:-90.1,0", "geo:nan,0", "geo:1e1,0",
        "geo:0x1,0", "geo:+1,0", "geo:1,2,3,4", "geo: 1,2", "geo:1.,2", "geo:１,2", "geo:1,2;crs=moon",
        "geo:1,2\u{202E}", "http:1,2", "geo:\(String(repeating: "1", count: 5000)),2",
        "geo:0.\(String(repeating: "0", count: 30)),2",
    ])
    func otherTextsAreNone(_ text: String) { #expect(GeoURI(text) == nil) }

    @Test func addressInTextIsLink() {
        let pieces = MessagePiece.pieces(of: "At geo:52.5,13.4;u=5, or geo:99,0.", emoticons: .none)
        let links = pieces.compactMap { if case .link(let text, let link) = $0 { (text, link) } else { nil } }
        #expect(links.map(\.0) == ["geo:52.5,13.4;u=5"])
        #expect(links.map(\.1) == [GeoURI("geo:52.5,13.4").map { .place($0) }])
    }

    @Test func summaryHasCoordinates() {
        let message = ChatMessage(
            id: 1, conversation: ConversationID(ada), sender: .buddy,
            content: MessageContent("geo:52.5163,13.3777;u=5"), time: ChatTime(milliseconds: 0), place: 1,
            state: .received)
        #expect(message.summary == "Place: 52.5163, 13.3777")
        #expect(MessagePreview(message).text == message.summary)
    }
}
