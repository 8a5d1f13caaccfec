// SPDX-License-Identifier: GPL-3.0-or-later

// Settings in widgets: each connection lasts as long as its widget.
extension Settings {
    /// Calls `body` now and after each change of the key, in this process or any other, until the widget is destroyed.
    public func follow(_ key: String, until widget: Widget, _ body: @escaping @MainActor () -> Void) {
        let instance = UnsafeMutableRawPointer(pointer)
        let connection = Signal.connectNotify(instance, "changed::\(key)", body)
        Signal.connect(widget, "destroy") { [self] in
            // A widget may emit `destroy` twice.
            guard g_signal_handler_is_connected(self.pointer, connection) != 0 else { return }
            Signal.disconnect(self.pointer, connection)
        }
        body()
    }

    /// Binds a property of an object to the key in both directions; a widget is insensitive while the key is not
    /// writable.
    public func bind(_ key: String, to object: UnsafeMutableRawPointer, _ property: String) {
        g_settings_bind(pointer, key, object, property, G_SETTINGS_BIND_DEFAULT)
    }

    /// Makes a widget insensitive while an administrator has locked the key.
    public func bindWritable(_ key: String, to widget: Widget) {
        g_settings_bind_writable(pointer, key, widget, "sensitive", 0)
    }

    public func isChosen(_ key: String) -> Bool {
        guard let value = g_settings_get_user_value(pointer, key) else { return false }
        g_variant_unref(value)
        return true
    }
}
