// SPDX-License-Identifier: GPL-3.0-or-later

public import CGio

/// A strong reference to a GObject, released with the value's last owner.
///
/// The annotation of the C function determines the initializer: `transfer full` needs `taking`, `transfer none` needs
/// `retaining`, and the constructor of a widget returns a floating reference, which needs `sinking`.
@MainActor
public final class GObjectRef {
    /// The object, for functions that need a C type from `cast(to:)`.
    public let object: UnsafeMutablePointer<GObject>

    /// Takes ownership of a reference (`transfer full`).
    public init(taking pointer: UnsafeMutableRawPointer) {
        object = pointer.assumingMemoryBound(to: GObject.self)
    }

    /// Adds a reference to an object that a different owner holds (`transfer none`).
    public convenience init(retaining pointer: UnsafeMutableRawPointer) {
        g_object_ref(pointer)
        self.init(taking: pointer)
    }

    /// Takes ownership of the floating reference of a new widget, or adds a reference if it is not floating.
    public convenience init(sinking pointer: UnsafeMutableRawPointer) {
        g_object_ref_sink(pointer)
        self.init(taking: pointer)
    }

    // Isolated, since the last reference may be released on any thread, but GTK objects must be destroyed on the main
    // thread.
    isolated deinit {
        g_object_unref(object)
    }

    public func cast<T>(to type: T.Type = T.self) -> UnsafeMutablePointer<T> {
        object.cast(to: type)
    }

    public var opaque: OpaquePointer { OpaquePointer(object) }
}

extension UnsafeMutablePointer {
    /// Returns the same object as a different C type in its class hierarchy, which the caller must know.
    ///
    /// A GObject structure begins with its parent's, so that one address serves all of them. This is equivalent to the
    /// macros `GTK_WIDGET()`, `GTK_LABEL()` and the like, which Swift does not import.
    public func cast<T>(to type: T.Type = T.self) -> UnsafeMutablePointer<T> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
    }
}
