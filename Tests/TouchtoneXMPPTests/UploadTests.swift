// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of places for files: their service, its limit, and its refusals.
final class UploadTests: XMPPTestCase {
    func testServerAssignsPlaces() throws {
        try TestServer.requireProsody("ejabberd names its places in another way")
        try onMainActor {
            let files = try XCTUnwrap(try fixture("grace").chat.files)
            XCTAssertEqual(try awaited { try await files.uploadLimit() }, 1 << 20)
            let slot = try awaited {
                try await files.slot(forFile: "a b.png", size: 10, mediaType: "image/png")
            }
            XCTAssertTrue(slot.get.hasPrefix("https://localhost:"), slot.get)
            XCTAssertTrue(slot.get.hasSuffix("a%20b.png"), slot.get)
            XCTAssertEqual(Array(slot.headers.keys), ["authorization"])
            XCTAssertEqual(files.trustedHosts, ["localhost", "files.localhost"])
            XCTAssertThrowsError(
                try awaited { try await files.slot(forFile: "a.png", size: 1 << 21, mediaType: "") }
            ) {
                guard case .refused(let reason)? = $0 as? ChatServiceError else { return XCTFail("\($0)") }
                XCTAssertEqual(reason, "The file is too large. The server accepts at most 1 MB.")
            }
        }
    }

    func testServiceIsSearchedForOnEachStream() throws {
        try onMainActor {
            let first =
                Script.online + refusals
                + items("<item jid='dead.localhost' node='x'/><item jid='up.localhost'/>")
                    + """
                    expect <iq type='get' id='([^']*)' to='up.localhost'
                    send <iq type='result' id='{1}' from='up.localhost'><query xmlns='http://jabber.org/protocol/disco#info'><feature var='urn:xmpp:http:upload:0'/><x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE'><value>urn:xmpp:http:upload:0</value></field><field var='max-file-size'><value>100</value></field></x></query></iq>
                    expect <iq type='get' id='([^']*)' to='up.localhost'><request [^>]*size='100'
                    send <iq type='error' id='{1}' from='up.localhost'><error type='wait'><resource-constraint xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>
                    expect <iq type='get' id='([^']*)' to='up.localhost'><request [^>]*size='99'
                    send <iq type='result' id='{1}' from='up.localhost'><slot xmlns='urn:xmpp:http:upload:0'><put url='https://Put.Example:8443/x'/><get url='https://get.example./x'/></slot></iq>
                    expect <body>bye</body>
                    reset
                    """
            let second =
                Script.bound() + """
                    expect <enable [^>]*>
                    send <failed xmlns='urn:xmpp:sm:3'/>

                    """ + refusals + items("") + """
                    expect <iq type='get' id='([^']*)' to='localhost'><query xmlns='http://jabber.org/protocol/disco#info'
                    send <iq type='result' id='{1}' from='localhost'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>
                    wait
                    """
            let (fixture, _) = try scripted(
                first.replacingOccurrences(of: " id='previous' resume='true'", with: ""), second)
            let files = try XCTUnwrap(fixture.chat.files)
            XCTAssertThrowsError(try awaited { try await files.uploadLimit() }) {
                XCTAssertEqual($0 as? ChatServiceError, .offline)
            }
            waitUntil("it is ready") { fixture.readyCount == 1 }
            XCTAssertEqual(try awaited { try await files.uploadLimit() }, 100)
            XCTAssertThrowsError(
                try awaited { try await files.slot(forFile: "a", size: 100, mediaType: "") }
            ) {
                XCTAssertEqual(
                    $0 as? ChatServiceError,
                    .refused("The server has no room for this file now. Try again later."))
            }
            _ = try awaited { try await files.slot(forFile: "a", size: 99, mediaType: "") }
            XCTAssertEqual(
                files.trustedHosts, ["localhost", "up.localhost", "put.example", "get.example"])
            fixture.send("bye", to: ChatAddress("alan@localhost"))
            waitUntil("the connection is lost") {
                if case .waiting? = fixture.states.last { true } else { false }
            }
            fixture.chat.wakeUp()
            waitUntil("it is ready again") { fixture.readyCount == 2 }
            XCTAssertThrowsError(try awaited { try await files.uploadLimit() }) {
                XCTAssertEqual($0 as? ChatServiceError, .unsupported)
            }
            fixture.chat.signOut()
        }
    }

    func testRefusalsAreExplained() {
        for (condition, start) in [
            ("not-acceptable", "The server doesn’t accept this file."), ("not-allowed", "You aren’t allowed"),
            ("resource-constraint", "The server has no room"), ("policy-violation", "The server’s rules"),
        ] {
            let plain = StanzaError(.cancel, condition).reasonForUpload
            XCTAssertTrue(plain.hasPrefix(start), plain)
            let quoting = StanzaError(.cancel, condition, text: "File too large").reasonForUpload
            XCTAssertEqual(quoting, plain + " The reply was: “File too large”")
        }
    }

    func testSlotRevealsOnlyAllowedHeadersAndAddresses() throws {
        let slot = try FileSlot(
            XMLElementTests.read(
                """
                <slot xmlns='urn:xmpp:http:upload:0'><put url='https://a/b'><header name='Authorization'>x</header>\
                <header name='Host'>evil</header><header name='Cookie'>a&#10;Host: evil</header></put>\
                <get url='https://a/c'/></slot>
                """))
        XCTAssertEqual(slot?.headers, ["authorization": "x"])
        for address in [
            "http://a/b", "file:///etc/passwd", "https://a/b c", "javascript:x", "https://a@b/", "",
        ] {
            let text =
                "<slot xmlns='urn:xmpp:http:upload:0'><put url='\(address)'/><get url='https://a/c'/></slot>"
            XCTAssertNil(FileSlot(try XMLElementTests.read(text)), address)
        }
    }

    func testSharedFileIsReadFromMessage() throws {
        func url(_ text: String) throws -> String? {
            let message = "<message xmlns='jabber:client'><body>x</body>\(text)</message>"
            return OutOfBandData(in: try XCTUnwrap(Message(XMLElementTests.read(message))))?.url
        }
        func x(_ url: String) -> String { "<x xmlns='jabber:x:oob'><url>\(url)</url><desc>d</desc></x>" }
        XCTAssertEqual(try url(x("https://files.example/a%20b.png")), "https://files.example/a%20b.png")
        let long = "https://files.example/" + String(repeating: "a", count: 2048)
        for text in [
            "", x(""), x("http://files.example/a"), x("file:///etc/passwd"), x("https://"), x("https://a/ b"),
            x("https://a/&#10;b"), x("https://good@127.0.0.1/"), x(long), "<x xmlns='jabber:x:oob'/>",
            "<x xmlns='jabber:x:event'><url>https://a/</url></x>",
        ] {
            XCTAssertNil(try url(text), text)
        }
        XCTAssertEqual(try url(x(String(long.prefix(2048)))), String(long.prefix(2048)))
    }

    func testSharedFileIsWritten() throws {
        let data = try XCTUnwrap(OutOfBandData(url: "https://files.example/?a=1&b=2"))
        var message = Message(to: JID("alan@localhost"), body: data.url)
        message.extensions = [data.element]
        let text = message.element.serialized(in: "jabber:client")
        XCTAssertTrue(
            text.contains("<x xmlns='jabber:x:oob'><url>https://files.example/?a=1&amp;b=2</url></x>"), text)
        XCTAssertNil(OutOfBandData(url: "http://files.example/"))
    }
}

/// A response to the request for the server’s items.
private func items(_ items: String) -> String {
    """
    expect <iq type='get' id='([^']*)' to='localhost'><query xmlns='http://jabber.org/protocol/disco#items'
    send <iq type='result' id='{1}' from='localhost'><query xmlns='http://jabber.org/protocol/disco#items'>\(items)</query></iq>

    """
}
