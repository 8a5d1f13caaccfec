// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Testing

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("https://example.org", "example.org"), ("HTTPS://Example.ORG./a?b#c", "example.org"),
        ("https://example.org:8443/a", "example.org"), ("https://bücher.example/", "xn--bcher-kva.example"),
        ("https://[::1]:5/", "::1"), ("https://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1"),
        ("https://0x7f.1/", "0x7f.1"), ("https://localhost./", "localhost"),
    ])
    func hostIsNormalized(_ text: String, _ host: String) {
        #expect(WebAddress(text)?.host == host)
    }

    @Test(arguments: [
        "", "https", "https:", "https://", "https:///a", "http://a/", "ftp://a/", "file:///etc/passwd",
        "//a/b", "https://a b/", "https://a/\n", "https://a/\u{7f}", "https://good@127.0.0.1/",
        "https://good:x@127.0.0.1/", "https://@127.0.0.1/", "https://127.0.0.1%00.good/", "https://a:99999/",
        "https://[::1/", "https://[fe80::1%25lo]/", "https://a\\@b/", "https://./",
    ])
    func invalidOrDeceptiveAddressIsRejected(_ text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test func longAddressIsRejected() {
        let start = "https://a/"
        let most = start + String(repeating: "b", count: WebAddress.maximumBytes - start.utf8.count)
        #expect(WebAddress(most) != nil)
        #expect(WebAddress(most + "b") == nil)
        #expect(WebAddress(start)?.resolving(String(repeating: "b", count: 10_000)) == nil)
    }

    @Test func referenceIsResolved() throws {
        let base = try #require(WebAddress("https://a.example/b/c?d"))
        #expect(base.resolving("e") == "https://a.example/b/e")
        #expect(base.resolving("/e") == "https://a.example/e")
        #expect(base.resolving("//f.example/") == "https://f.example/")
        #expect(base.resolving("http://f.example/") == "http://f.example/")
    }
}
