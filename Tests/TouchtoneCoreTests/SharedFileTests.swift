// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

@Suite struct SharedFileTests {
    @Test(arguments: [
        ("https://files.example.org/1/photo.jpg", "photo.jpg", "files.example.org", true),
        ("HTTPS://Files.Example.org:8443/a%20b.PNG?x=/y.txt#z", "a b.PNG", "files.example.org", true),
        ("https://user@files.example.org/report.pdf", "report.pdf", "files.example.org", false),
        ("https://[2001:db8::1]:80/a.webp", "a.webp", "[2001:db8::1]", true),
        ("https://example.org", "example.org", "example.org", false),
        ("https://example.org/a/", "a", "example.org", false),
        ("https://example.org/%2e%2e", "example.org", "example.org", false),
        ("https://example.org/..%2f..%2fetc%2fpasswd", "passwd", "example.org", false),
        ("https://example.org/a%5Cb.exe", "b.exe", "example.org", false),
        ("https://example.org/%ff", "%ff", "example.org", false),
        ("https://example.org/gpj.%E2%80%AEexe", "gpj.exe", "example.org", false),
        ("https://example.org/a%0Ab.gif", "a b.gif", "example.org", true),
    ])
    func receivedAddressNamesFile(_ url: String, _ name: String, _ host: String, _ isPicture: Bool) throws {
        let file = try #require(SharedFile(received: url))
        #expect(file.name == name)
        #expect(file.host == host)
        #expect(file.isPicture == isPicture)
        #expect(file.url == url && file.path == nil && file.size == nil)
    }

    @Test(arguments: [
        "", "photo.jpg", "http://example.org/a.jpg", "file:///etc/passwd", "https://", "https:///a.jpg",
        "https://example.org/a b.jpg", "https://example.org/\u{202e}a.jpg", "ftp://example.org/a.jpg",
        "https://example.org/" + String(repeating: "a", count: 10_000) + ".jpg",
    ])
    func otherAddressIsNoFile(_ url: String) {
        #expect(SharedFile(received: url) == nil)
    }

    @Test func longNameIsCut() throws {
        let url = "https://example.org/" + String(repeating: "a", count: 2000)
        #expect(try #require(SharedFile(received: url)).name.count == 201)
    }

    @Test(
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1540, "1.5 kB"),
            (10_500_000, "11 MB"), (999_600, "1 MB"), (3_400_000, "3.4 MB"), (25_000_000_000, "25 GB"),
            (-5, "0 bytes"), (Int64.max, "9,223,372,037 GB"),
        ] as [(Int64, String)])
    func sizeIsShort(_ bytes: Int64, _ text: String) {
        #expect(localizedSize(bytes) == text)
    }

    @Test func summaryNamesKindOfFile() throws {
        let photo = try #require(SharedFile(received: "https://example.org/photo.jpg"))
        var message = ChatMessage(
            id: 1, conversation: ConversationID(ada), sender: .buddy,
            content: MessageContent(file: photo), time: ChatTime(milliseconds: 0), place: 1,
            state: .received)
        #expect(message.summary == "Picture: photo.jpg")
        #expect(message.sentText == "https://example.org/photo.jpg")
        message.content = MessageContent("Look!", files: [photo])
        #expect(message.summary == "Picture: Look!")
        #expect(message.sentText == "Look!\nhttps://example.org/photo.jpg")
        message.content = MessageContent("At https://example.org/photo.jpg", files: [photo])
        #expect(message.sentText == message.text, "the address is not sent twice")
        message.content = MessageContent("photo.jpg", files: [photo, photo, photo])
        #expect(message.summary == "Picture: photo.jpg and 2 more files")
        #expect(message.withFileAlone(1).summary == "Picture: photo.jpg")
        message.content = MessageContent(file: SharedFile(name: "a.pdf"))
        #expect(message.summary == "File: a.pdf")
    }
}
