// SPDX-License-Identifier: GPL-3.0-or-later

extension JSON {
    /// Encodes a message.
    init(encoding message: some Encodable) throws {
        let node = JSONNode()
        try node.encode(message)
        self = node.json
    }
}

/// A place in the text for the value that a container encodes.
private final class JSONNode {
    private var value = JSON.null
    private var members: [String: JSONNode]?
    private var elements: [JSONNode]?

    var count: Int { elements?.count ?? 0 }

    var json: JSON {
        if let members { return .object(members.mapValues(\.json)) }
        if let elements { return .array(elements.map(\.json)) }
        return value
    }

    func beginObject() { members = members ?? [:] }
    func beginArray() { elements = elements ?? [] }

    func member(_ key: any CodingKey) -> JSONNode {
        let node = JSONNode()
        members?[key.stringValue] = node
        return node
    }

    func element() -> JSONNode {
        let node = JSONNode()
        elements?.append(node)
        return node
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let value as Bool: self.value = .bool(value)
        case let value as Int: self.value = .integer(value)
        case let value as Double: self.value = .number(value)
        case let value as String: self.value = .string(value)
        case is any BinaryInteger, is any BinaryFloatingPoint:
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "messages have Int and Double only"))
        default: try value.encode(to: MessageEncoder(node: self))
        }
    }
}

private struct MessageEncoder: Encoder, SingleValueEncodingContainer {
    let node: JSONNode
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.beginObject()
        return KeyedEncodingContainer(Members(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.beginArray()
        return Elements(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() {}
    func encode<Value: Encodable>(_ value: Value) throws { try node.encode(value) }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: JSONNode
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { _ = node.member(key) }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try node.member(key).encode(value)
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
            -> KeyedEncodingContainer<Nested>
        {
            MessageEncoder(node: node.member(key)).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            MessageEncoder(node: node.member(key)).unkeyedContainer()
        }

        // Classes only.
        func superEncoder() -> any Encoder { MessageEncoder(node: JSONNode()) }
        func superEncoder(forKey key: Key) -> any Encoder { MessageEncoder(node: node.member(key)) }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let node: JSONNode
        var codingPath: [any CodingKey] { [] }
        var count: Int { node.count }

        func encodeNil() { _ = node.element() }
        func encode<Value: Encodable>(_ value: Value) throws { try node.element().encode(value) }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            MessageEncoder(node: node.element()).container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            MessageEncoder(node: node.element()).unkeyedContainer()
        }

        func superEncoder() -> any Encoder { MessageEncoder(node: node.element()) }
    }
}
