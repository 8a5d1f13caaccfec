// SPDX-License-Identifier: GPL-3.0-or-later

/// A writer of a message as one row of fields: the name of each case, then its values as declared, with the
/// number of elements before those of an array; nothing is optional.
final class MessageEncoder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
    private(set) var fields: [String] = []
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Appends a value; throws `EncodingError` if a message cannot have such a value.
    func encode<Value: Encodable>(_ value: Value) throws {
        switch value {
        case is String, is Bool, is Int, is UInt16, is UInt32: fields.append("\(value)")
        case let value as Double where value.isFinite: fields.append("\(value)")
        case let values as [any Encodable]:
            fields.append("\(values.count)")
            for value in values { try encode(value) }
        case is any BinaryInteger, is any BinaryFloatingPoint: throw Self.unsupported
        default: try value.encode(to: self)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members(encoder: self))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { throw Self.unsupported }

    // No message has other collections than arrays.
    var count: Int { fields.count }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { self }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: MessageEncoder
        var codingPath: [any CodingKey] { [] }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encoder.encode(value) }

        /// Writes the name of an enumeration's case.
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
            -> KeyedEncodingContainer<Nested>
        {
            encoder.fields.append(key.stringValue)
            return encoder.container(keyedBy: type)
        }

        // No message needs these.
        func encodeNil(forKey key: Key) throws { throw MessageEncoder.unsupported }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    private static var unsupported: EncodingError {
        .invalidValue(
            Never.self,
            .init(codingPath: [], debugDescription: "a message has no nil, no other numbers and no NaN"))
    }
}
