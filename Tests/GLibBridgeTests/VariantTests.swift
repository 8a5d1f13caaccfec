// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Testing

@Suite struct VariantTests {
    @Test func valueIsReadOnlyAsItsOwnType() {
        let values: [Variant] = [.string("text"), .bool(true), .byte(7), .int32(-3), .uint32(5), .uint64(9)]
        #expect(values.map(\.type) == ["s", "b", "y", "i", "u", "t"])
        #expect(values.map(\.string) == ["text", nil, nil, nil, nil, nil])
        #expect(values.map(\.bool) == [nil, true, nil, nil, nil, nil])
        #expect(values.map(\.uint32) == [nil, nil, nil, nil, 5, nil])
        #expect(values.map(\.integer) == [nil, nil, nil, -3, nil, nil])
        for value in values {
            #expect(value.content?.type == nil)
            #expect(value.strings == nil)
            #expect(value.children.isEmpty)
            #expect(value[0]?.type == nil)
        }
    }

    @Test func nestedValuesHaveTheTypesOfTheirParts() {
        let item = Variant.tuple([.int32(1), .dictionary([]), .array(of: "v", [.boxed(.string("x"))])])
        #expect(item.type == "(ia{sv}av)")
        #expect(item[2]?[0]?.content?.string == "x")
        #expect(Variant.array(of: "(iiay)", []).type == "a(iiay)")
        #expect(Variant.objectPath("/a").string == "/a")
    }

    @Test func listsAndNamedValuesHaveParts() {
        #expect(Variant.strings(["one", "two"]).strings == ["one", "two"])
        #expect(Variant.strings([]).type == "as")
        let named = Variant.dictionary([("key", .uint32(4)), ("other", .strings(["x"]))])
        #expect(named.type == "a{sv}")
        #expect(named.children.map { $0[0]?.string } == ["key", "other"])
        #expect(named[0]?[1]?.content?.uint32 == 4)
        #expect(named[1]?[1]?.content?.strings == ["x"])
        #expect(named[2]?.type == nil)
    }
}
