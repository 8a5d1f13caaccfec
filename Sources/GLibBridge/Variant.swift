// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio

/// A D-Bus value, a `GVariant`, for any thread; each property that reads it is nil if it has a different
/// type, since other programs may send anything.
public final class Variant: @unchecked Sendable {  // A GVariant never changes, and its count is atomic.
    let pointer: OpaquePointer

    /// Takes ownership of a reference (`transfer full`).
    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    /// Takes ownership of the floating reference of a new value, or adds a reference.
    convenience init(sinking pointer: OpaquePointer) { self.init(taking: g_variant_ref_sink(pointer)) }

    deinit { g_variant_unref(pointer) }

    /// The size of the value, in bytes, by which one that is too long is refused before it is read.
    public var size: Int { Int(g_variant_get_size(pointer)) }

    /// The value as text, in the notation of GVariant.
    public var printed: String {
        guard let text = g_variant_print(pointer, 0) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// The type in D-Bus notation, such as `a{sv}`.
    public var type: String { String(cString: g_variant_get_type_string(pointer)) }
}

// MARK: - Creation

extension Variant {
    public static func string(_ text: String) -> Variant { Variant(sinking: g_variant_new_string(text)) }

    public static func bool(_ flag: Bool) -> Variant { Variant(sinking: g_variant_new_boolean(flag ? 1 : 0)) }

    public static func byte(_ number: UInt8) -> Variant { Variant(sinking: g_variant_new_byte(number)) }

    public static func int32(_ number: Int32) -> Variant { Variant(sinking: g_variant_new_int32(number)) }

    public static func uint32(_ number: UInt32) -> Variant { Variant(sinking: g_variant_new_uint32(number)) }

    public static func uint64(_ number: UInt64) -> Variant {
        Variant(sinking: g_variant_new_uint64(guint64(number)))
    }

    /// Creates an entry of a dictionary, for an array of a type such as `{oa{sv}}`.
    public static func entry(_ key: Variant, _ value: Variant) -> Variant {
        Variant(sinking: g_variant_new_dict_entry(key.pointer, value.pointer))
    }

    public static func strings(_ texts: [String]) -> Variant {
        array(of: "s", texts.map { g_variant_new_string($0) })
    }

    /// Creates an array of bytes (`ay`).
    public static func bytes(_ bytes: [UInt8]) -> Variant {
        let type = g_variant_type_new("y")
        defer { g_variant_type_free(type) }
        return Variant(sinking: g_variant_new_fixed_array(type, bytes, gsize(bytes.count), 1))
    }

    /// Creates a dictionary with string keys (`a{sv}`).
    public static func dictionary(_ entries: [(key: String, value: Variant)]) -> Variant {
        array(
            of: "{sv}",
            entries.map {
                g_variant_new_dict_entry(
                    g_variant_new_string($0.key), g_variant_new_variant($0.value.pointer))
            })
    }

    /// Creates a dictionary of strings (`a{ss}`).
    public static func texts(_ entries: [(key: String, value: String)]) -> Variant {
        array(
            of: "{ss}",
            entries.map {
                g_variant_new_dict_entry(g_variant_new_string($0.key), g_variant_new_string($0.value))
            })
    }

    /// Creates an object path (`o`), which must be valid.
    public static func objectPath(_ path: String) -> Variant {
        Variant(sinking: g_variant_new_object_path(path))
    }

    /// Creates a variant (`v`) that contains a value.
    public static func boxed(_ value: Variant) -> Variant {
        Variant(sinking: g_variant_new_variant(value.pointer))
    }

    /// Creates an array of elements that all have one type, such as `(ia{sv})`.
    public static func array(of type: String, _ elements: [Variant]) -> Variant {
        array(of: type, elements.map(\.pointer))
    }

    /// Creates a tuple, such as the arguments of a call.
    public static func tuple(_ values: [Variant]) -> Variant {
        let children: [OpaquePointer?] = values.map(\.pointer)
        return Variant(sinking: g_variant_new_tuple(children, gsize(children.count)))
    }

    private static func array(of type: String, _ children: [OpaquePointer?]) -> Variant {
        let type = g_variant_type_new(type)
        defer { g_variant_type_free(type) }
        return Variant(sinking: g_variant_new_array(type, children, gsize(children.count)))
    }
}

// MARK: - Values

extension Variant {
    /// The string, object path or signature.
    public var string: String? {
        guard ["s", "o", "g"].contains(type) else { return nil }
        return String(cString: g_variant_get_string(pointer, nil))
    }

    public var bool: Bool? { type == "b" ? g_variant_get_boolean(pointer) != 0 : nil }

    public var byte: UInt8? { type == "y" ? g_variant_get_byte(pointer) : nil }

    public var uint32: UInt32? { type == "u" ? g_variant_get_uint32(pointer) : nil }

    /// The signed 32-bit or 64-bit integer.
    public var integer: Int64? {
        switch type {
        case "i": Int64(g_variant_get_int32(pointer))
        case "x": Int64(g_variant_get_int64(pointer))
        default: nil
        }
    }

    /// The value inside a variant (`v`).
    public var content: Variant? { type == "v" ? Variant(taking: g_variant_get_variant(pointer)) : nil }

    public var strings: [String]? { type == "as" ? children.compactMap(\.string) : nil }

    /// The elements of an array, tuple or dictionary entry; empty for any other type.
    public var children: some Collection<Variant> {
        let count = g_variant_is_container(pointer) != 0 ? g_variant_n_children(pointer) : 0
        return (0..<count).lazy.map { [self] in Variant(taking: g_variant_get_child_value(pointer, $0)) }
    }

    /// Returns the element at an index, which the caller knows from the type to exist.
    public subscript(index: Int) -> Variant? { children.dropFirst(index).first }
}
