// SPDX-License-Identifier: GPL-3.0-or-later

public import CGio

/// A strong reference to a GObject, given back when the value's last owner is gone.
///
/// Which initialiser to take is in the C function's annotation: `transfer full` is `taking`, `transfer none` is
/// `retaining`, and a constructor of a widget returns a floating reference, which is `sinking`.
@MainActor
public final class GObjectRef {
    /// The object, for calls that want it as some C type by `cast(to:)`.
    public let object: UnsafeMutablePointer<GObject>

    /// Owns a reference that the caller was given (`transfer full`).
    public init(taking pointer: UnsafeMutableRawPointer) {
        object = pointer.assumingMemoryBound(to: GObject.self)
    }

    /// Adds a reference to an object that somebody else owns (`transfer none`).
    public convenience init(retaining pointer: UnsafeMutableRawPointer) {
        g_object_ref(pointer)
        self.init(taking: pointer)
    }

    /// Takes over the floating reference of a new widget, or adds one where it has been taken already.
    public convenience init(sinking pointer: UnsafeMutableRawPointer) {
        g_object_ref_sink(pointer)
        self.init(taking: pointer)
    }

    // Isolated: the last reference may go in a task of another thread, and GTK's objects die on the main one.
    isolated deinit {
        g_object_unref(object)
    }

    /// The object as one of the C types that it is of.
    public func cast<T>(to type: T.Type = T.self) -> UnsafeMutablePointer<T> {
        object.cast(to: type)
    }

    /// The object as a pointer to a C type whose members are hidden.
    public var opaque: OpaquePointer { OpaquePointer(object) }
}

extension UnsafeMutablePointer {
    /// The same object as another C type in its class hierarchy, which the caller knows it to be of.
    ///
    /// GObject's structures begin with their parent's, so that one address serves all of them; this is what the
    /// macros `GTK_WIDGET()`, `GTK_LABEL()` and the like come to, which Swift does not import.
    public func cast<T>(to type: T.Type = T.self) -> UnsafeMutablePointer<T> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
    }
}
