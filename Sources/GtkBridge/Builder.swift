// SPDX-License-Identifier: GPL-3.0-or-later

/// What a `.ui` file describes, with its objects by id.
@MainActor
public final class Builder {
    private let builder: GObjectRef
    private let path: String

    /// Builds everything in the file.
    public init(file path: String) throws(GLibError) {
        self.path = path
        builder = GObjectRef(taking: UnsafeMutableRawPointer(gtk_builder_new()))
        gtk_builder_set_translation_domain(builder.cast(), "touchtone")
        try GLibError.check { gtk_builder_add_from_file(builder.cast(), path, $0) }
    }

    /// The object with the id, as a C type that the caller knows it to be of.
    ///
    /// - Throws: `GLibError` where the file names no such object: it is not the file that this program came with.
    public func object<T>(_ id: String, as type: T.Type = T.self) throws(GLibError) -> UnsafeMutablePointer<T>
    {
        try raw(id).assumingMemoryBound(to: T.self)
    }

    /// The object with the id, whose C type hides its members.
    public func opaque(_ id: String) throws(GLibError) -> OpaquePointer {
        OpaquePointer(try raw(id))
    }

    private func raw(_ id: String) throws(GLibError) -> UnsafeMutableRawPointer {
        guard let object = gtk_builder_get_object(builder.cast(), id) else {
            throw GLibError(domain: "builder", message: "\(path) has no object named “\(id)”.")
        }
        return UnsafeMutableRawPointer(object)
    }
}
