// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore
import TouchtoneStore

/// Tests of reading JSON from anybody.
@Suite struct JSONDocumentTests {
    private func read(_ text: String) -> JSONValue? { JSONDocument.read(Array(text.utf8)) }

    @Test func everyKindOfValueIsRead() {
        #expect(read("null") == .null)
        #expect(
            read(" [true, false, -1.5e2, 7, \"a\\u00e9\\n\"] ")
                == .list([.bool(true), .bool(false), .number(-150), .number(7), .text("aé\n")]))
        #expect(
            read("{\"a\": {\"b\": []}, \"c d\": \"\", \"\": [{}]}")
                == .object([
                    "a": .object(["b": .list([])]), "c d": .text(""), "": .list([.object([:])]),
                ]))
        #expect(
            read("[\(Array(0..<200).map(String.init).joined(separator: ","))]")
                == .list((0..<200).map { .number(Double($0)) }), "they stay in order")
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{'a': 1}", "{a: 1}", "[1] x", "[01]", "[+1]", "[NaN]", "[Infinity]", "[0x1]",
        "// a\n[]", "\"a", "\"\n\"", "{\"a\": 1, \"a\": 2}", "nul", "[1}", "\u{feff}[]", "<html></html>",
        "[1]\0", "[\"a\0b\"]", "{\"a\"}",
    ])
    func invalidTextIsNothing(text: String) { #expect(read(text) == nil) }

    @Test func invalidBytesAreNothing() {
        #expect(JSONDocument.read([0x22, 0xff, 0xfe, 0x22]) == nil)
        #expect(JSONDocument.read([0x22, 0xc0, 0x80, 0x22]) == nil)
    }

    @Test func hugeTextIsNothing() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(read(nested(10)) != nil)
        #expect(read(nested(20)) == nil)
        #expect(read(nested(30_000)) == nil)
        #expect(read(String(repeating: "[", count: 60_000)) == nil)
        #expect(read("[" + String(repeating: "1,", count: 1_998) + "1]") != nil)
        #expect(read("[" + String(repeating: "1,", count: 3_000) + "1]") == nil)
        #expect(read("\"" + String(repeating: "x", count: 65_000) + "\"") != nil)
        #expect(read("\"" + String(repeating: "x", count: 66_000) + "\"") == nil)
    }
}
