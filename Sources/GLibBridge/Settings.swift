// SPDX-License-Identifier: GPL-3.0-or-later

public import CGio

/// The user's preferences: a `GSettings` whose schema is searched for beside the program's data first.
@MainActor
public final class Settings {
    private let settings: GObjectRef
    private let schema: OpaquePointer

    public var pointer: UnsafeMutablePointer<GSettings> { settings.cast() }

    /// Opens the settings of a schema; throws if it is missing, where GLib's constructor ends the program.
    ///
    /// `path` has slashes at both ends, for relocatable schemas; `folders` may have further schemas.
    public init(schema: String, path: String? = nil, folders: [String] = []) throws(GLibError) {
        var source = g_settings_schema_source_get_default()
        let own = folders.lazy.compactMap { g_settings_schema_source_new_from_directory($0, source, 0, nil) }
            .first
        if let own { source = own }
        defer { own.map { g_settings_schema_source_unref($0) } }
        guard let source, let found = g_settings_schema_source_lookup(source, schema, 1) else {
            throw GLibError(domain: "settings", message: "The settings schema \(schema) is missing.")
        }
        // GLib ends the program if a fixed schema is given a path, or a relocatable schema is given none.
        guard (g_settings_schema_get_path(found) == nil) == (path != nil) else {
            g_settings_schema_unref(found)
            throw GLibError(
                domain: "settings", message: "The settings schema \(schema) has a different path.")
        }
        self.schema = found
        settings = GObjectRef(taking: UnsafeMutableRawPointer(g_settings_new_full(found, nil, path)))
    }

    isolated deinit {
        g_settings_schema_unref(schema)
    }

    /// Returns whether the installed schema has the key: it may be of a different version than the program.
    public func has(_ key: String) -> Bool { g_settings_schema_has_key(schema, key) != 0 }

    /// Returns whether the user can change the key: an administrator may have locked it.
    public func isWritable(_ key: String) -> Bool { g_settings_is_writable(pointer, key) != 0 }

    /// The value of a key of type `s` or of an enumeration.
    public subscript(text key: String) -> String {
        get {
            guard let text = g_settings_get_string(pointer, key) else { return "" }
            defer { g_free(text) }
            return String(cString: text)
        }
        set { write(key, g_variant_new_string(newValue)) }
    }

    /// The value of a key of type `b`.
    public subscript(flag key: String) -> Bool {
        get { g_settings_get_boolean(pointer, key) != 0 }
        set { write(key, g_variant_new_boolean(newValue ? 1 : 0)) }
    }

    /// The value of a key of type `d`.
    public subscript(number key: String) -> Double {
        get { g_settings_get_double(pointer, key) }
        set { write(key, g_variant_new_double(newValue)) }
    }

    /// The value of a key of type `u`.
    public subscript(count key: String) -> UInt32 {
        get { g_settings_get_uint(pointer, key) }
        set { write(key, g_variant_new_uint32(newValue)) }
    }

    /// The value of a key of type `as`.
    public subscript(list key: String) -> [String] {
        get {
            guard let texts = g_settings_get_strv(pointer, key) else { return [] }
            defer { g_strfreev(texts) }
            return sequence(first: texts, next: { $0 + 1 }).prefix { $0.pointee != nil }
                .compactMap { $0.pointee.map { String(cString: $0) } }
        }
        set {
            let texts = newValue.map { g_strdup($0) }
            defer { texts.forEach { g_free($0) } }
            let list = texts.map { UnsafePointer($0) } + [nil]
            write(key, g_variant_new_strv(list, gssize(texts.count)))
        }
    }

    /// The value of a key of any type, as text.
    public func printed(_ key: String) -> String {
        guard let value = g_settings_get_value(pointer, key) else { return "" }
        defer { g_variant_unref(value) }
        guard let text = g_variant_print(value, 0) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Sets a key to the value of other settings’ key, which must have the same type; an equal value is not written.
    public func copy(_ other: String, of source: Settings, to key: String) {
        guard printed(key) != source.printed(other), let value = g_settings_get_value(source.pointer, other)
        else { return }
        defer { g_variant_unref(value) }
        g_settings_set_value(pointer, key, value)
    }

    /// Writes a value, unless the user has chosen the same before.
    ///
    /// Without dconf, GLib writes the file of all settings anew for each value, with what this process has last read of the others:
    /// the fewer writes, the fewer changes of other processes are lost.
    private func write(_ key: String, _ value: OpaquePointer?) {
        guard let value else { return }
        g_variant_ref_sink(value)
        defer { g_variant_unref(value) }
        if let own = g_settings_get_user_value(pointer, key) {
            defer { g_variant_unref(own) }
            if g_variant_equal(UnsafeRawPointer(own), UnsafeRawPointer(value)) != 0 { return }
        }
        g_settings_set_value(pointer, key, value)
    }

    /// Forgets what the user has chosen; writes nothing if there is nothing.
    public func reset(_ key: String) {
        guard let own = g_settings_get_user_value(pointer, key) else { return }
        g_variant_unref(own)
        g_settings_reset(pointer, key)
    }

    public func resetAll() {
        guard let keys = g_settings_schema_list_keys(schema) else { return }
        defer { g_strfreev(keys) }
        for index in 0... {
            guard let key = keys[index] else { return }
            reset(String(cString: key))
        }
    }

    /// Calls `body` now and after each change of the key, in this process or any other.
    public func follow(_ key: String, _ body: @escaping @MainActor () -> Void) {
        Signal.connectNotify(UnsafeMutableRawPointer(settings.object), "changed::\(key)", body)
        body()
    }
}
