// SPDX-License-Identifier: GPL-3.0-or-later

/// A writer of a message as one row of fields: the name of each case, then its values, in the order of their declaration.
///
/// An array is preceded by the number of its elements. Nothing is optional.
final class MessageEncoder: Encoder {
    private(set) var fields: [Field] = []
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Appends a value.
    ///
    /// - Throws: `EncodingError` if a message cannot have such a value.
    func encode<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let value as Bool: fields.append(.bool(value))
        case let value as Int: fields.append(.integer(value))
        case let value as Double where value.isFinite: fields.append(.number(value))
        case let value as String: fields.append(.string(value))
        case is any BinaryInteger, is any BinaryFloatingPoint:
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "messages have Int and finite Double only"))
        default: try value.encode(to: self)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members(encoder: self))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValue(encoder: self) }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        fields.append(.integer(0))
        return Elements(encoder: self, place: fields.count - 1)
    }

    private struct SingleValue: SingleValueEncodingContainer {
        let encoder: MessageEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil() throws { throw MessageEncoder.unsupported }
        func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(value) }
    }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: MessageEncoder
        var codingPath: [any CodingKey] { [] }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encoder.encode(value) }

        /// Writes the name of an enumeration's case.
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
            -> KeyedEncodingContainer<Nested>
        {
            encoder.fields.append(.string(key.stringValue))
            return encoder.container(keyedBy: type)
        }

        // No message needs these.
        func encodeNil(forKey key: Key) throws { throw MessageEncoder.unsupported }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.unkeyedContainer()
        }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let encoder: MessageEncoder
        /// The place of the number of elements.
        let place: Int
        private(set) var count = 0
        var codingPath: [any CodingKey] { [] }

        init(encoder: MessageEncoder, place: Int) { (self.encoder, self.place) = (encoder, place) }

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            count += 1
            encoder.fields[place] = .integer(count)
            try encoder.encode(value)
        }

        // No message needs these.
        func encodeNil() throws { throw MessageEncoder.unsupported }
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            encoder.container(keyedBy: type)
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder }
    }

    private static var unsupported: EncodingError {
        .invalidValue(
            Never.self, .init(codingPath: [], debugDescription: "a message has no optional values"))
    }
}
