// SPDX-License-Identifier: GPL-3.0-or-later

/// A reader of what `MessageEncoder` writes.
final class MessageDecoder: Decoder, SingleValueDecodingContainer {
    private var rest: ArraySlice<String>
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(fields: [String]) { rest = fields[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Removes and returns the next value; throws `DecodingError` if the fields do not have its form.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // The standard library's own types would ask for themselves without end.
        guard let type = type as? any LosslessStringConvertible.Type else { return try Value(from: self) }
        // Each value has one text.
        guard let text = rest.popFirst(), let value = type.init(text), "\(value)" == text,
            (value as? Double)?.isFinite != false, let value = value as? Value
        else { throw Self.mismatch(Value.self) }
        return value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(decoder: self))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let count = try decode(Int.self)
        // Each element has a field at least.
        guard 0...rest.count ~= count else { throw Self.mismatch([Any].self) }
        return Elements(decoder: self, length: count)
    }

    private static func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: [], debugDescription: "the message has another form"))
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: MessageDecoder
        var codingPath: [any CodingKey] { [] }

        /// The case of an enumeration, whose name is next; none if it has no such case.
        var allKeys: [Key] {
            decoder.rest.first.flatMap { Key(stringValue: $0) }.map { [$0] } ?? []
        }

        func contains(_ key: Key) -> Bool { !decoder.isAtEnd }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try decoder.decode(type)
        }

        /// Reads the name of an enumeration's case.
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
            -> KeyedDecodingContainer<Nested>
        {
            guard try decoder.decode(String.self) == key.stringValue else {
                throw MessageDecoder.mismatch(type)
            }
            return decoder.container(keyedBy: type)
        }

        // No message needs these.
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder.unkeyedContainer()
        }
        func superDecoder() -> any Decoder { decoder }
        func superDecoder(forKey key: Key) -> any Decoder { decoder }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let decoder: MessageDecoder
        let length: Int
        private(set) var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { length }
        var isAtEnd: Bool { currentIndex == length }

        init(decoder: MessageDecoder, length: Int) { (self.decoder, self.length) = (decoder, length) }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            guard !isAtEnd else { throw MessageDecoder.mismatch(type) }
            currentIndex += 1
            return try decoder.decode(type)
        }

        // No message needs these.
        func decodeNil() -> Bool { false }
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
            decoder.container(keyedBy: type)
        }
        func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try decoder.unkeyedContainer()
        }
        func superDecoder() -> any Decoder { decoder }
    }
}
