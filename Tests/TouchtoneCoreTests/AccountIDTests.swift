// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

/// Tests of the ids of accounts, which are parts of paths.
@Suite struct AccountIDTests {
    @Test func onlyPartsOfPathsAreIDs() {
        let bad = [
            "", ".", "..", "../x", "a/b", "/a", "a/", "a b", "ä", "a\0b", "a\n", "practice", "tel",
            String(repeating: "a", count: 65),
        ]
        #expect(AccountID.ids(in: bad) == [])
        let good = ["a", "A-b_9", String(repeating: "a", count: 64)]
        #expect(AccountID.ids(in: bad + good + bad + good) == good, "each once, in order")
    }

    @Test func thousandsOfIDsAreBounded() {
        let many = (0..<100_000).map { "id-\($0)" }
        #expect(AccountID.ids(in: many) == Array(many.prefix(AccountID.maximumCount)))
        let repeated = Array(repeating: "a", count: 100_000) + ["b"]
        #expect(AccountID.ids(in: repeated) == ["a", "b"])
    }

    @Test(arguments: [
        ("ada@example.org", "ada-example-org"), ("Ada@Example.org", "ada-example-org"),
        ("../x", "x"), ("Ω@例え", "account"), ("", "account"), ("tel", "account"), ("practice", "account"),
        (String(repeating: "a", count: 1000), String(repeating: "a", count: 48)),
    ])
    func newIDIsPartOfPath(address: String, id: String) {
        #expect(AccountID.new(for: address, besides: []) == id)
        #expect(AccountID.ids(in: [id]) == [id])
        let next = AccountID.new(for: address, besides: [id])
        #expect(next == "\(id)-2" && AccountID.ids(in: [next]) == [next])
    }
}
