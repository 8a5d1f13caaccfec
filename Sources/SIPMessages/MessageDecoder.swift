// SPDX-License-Identifier: GPL-3.0-or-later

extension JSON {
    /// Decodes a message.
    ///
    /// - Throws: `DecodingError` if the value does not have the message's form.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let found: Any? =
            switch (self, type) {
            case (.bool(let value), is Bool.Type): value
            case (.integer(let value), is Int.Type): value
            case (.integer(let value), is Double.Type): Double(value)
            case (.number(let value), is Double.Type): value
            case (.string(let value), is String.Type): value
            // The standard library's own types would ask for themselves without end.
            case (_, is any BinaryInteger.Type), (_, is any BinaryFloatingPoint.Type), (_, is Bool.Type),
                (_, is String.Type):
                nil
            default: try Value(from: MessageDecoder(value: self))
            }
        guard let value = found as? Value else { throw Self.mismatch(type) }
        return value
    }

    fileprivate static func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: [], debugDescription: "the message has another form"))
    }
}

private struct MessageDecoder: Decoder, SingleValueDecodingContainer {
    let value: JSON
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw JSON.mismatch([String: Any].self) }
        return KeyedDecodingContainer(Members(members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw JSON.mismatch([Any].self) }
        return Elements(elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value == .null }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value.decode(type) }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let members: [String: JSON]
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try member(key) == .null }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try member(key).decode(type)
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
            -> KeyedDecodingContainer<Nested>
        {
            try MessageDecoder(value: member(key)).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try MessageDecoder(value: member(key)).unkeyedContainer()
        }

        // Classes only.
        func superDecoder() -> any Decoder { MessageDecoder(value: .null) }
        func superDecoder(forKey key: Key) throws -> any Decoder { MessageDecoder(value: try member(key)) }

        private func member(_ key: Key) throws -> JSON {
            guard let member = members[key.stringValue] else {
                throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "it is missing"))
            }
            return member
        }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let elements: [JSON]
        var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex == elements.count }

        init(elements: [JSON]) { self.elements = elements }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, elements[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
            -> KeyedDecodingContainer<Nested>
        {
            try MessageDecoder(value: next()).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try MessageDecoder(value: next()).unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { MessageDecoder(value: try next()) }

        private mutating func next() throws -> JSON {
            guard !isAtEnd else { throw JSON.mismatch([Any].self) }
            defer { currentIndex += 1 }
            return elements[currentIndex]
        }
    }
}
