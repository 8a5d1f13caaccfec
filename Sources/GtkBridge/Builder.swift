// SPDX-License-Identifier: GPL-3.0-or-later

/// The objects that a `.ui` file describes, by their ids.
@MainActor
public final class Builder {
    private let builder: GObjectRef
    private let path: String

    /// Builds all objects in the file; the icons of its images grow with the desktop's text.
    public init(file path: String) throws(GLibError) {
        self.path = path
        builder = GObjectRef(taking: UnsafeMutableRawPointer(gtk_builder_new()))
        gtk_builder_set_translation_domain(builder.cast(), "touchtone")
        try GLibError.check { gtk_builder_add_from_file(builder.cast(), path, $0) }
        growIcons()
    }

    private func growIcons() {
        let objects = gtk_builder_get_objects(builder.cast())
        defer { g_slist_free(objects) }
        var next = objects
        while let item = next?.pointee {
            next = item.next
            guard let object = item.data, cgtk_instance_is_a(object, gtk_image_get_type()) != 0 else {
                continue
            }
            let image = object.assumingMemoryBound(to: GtkWidget.self)
            if !image.isRowArrow { image.growIconWithText() }
        }
    }

    /// Returns an object as a C type that the caller knows to be right; throws if the file has none.
    public func object<T>(_ id: String, as type: T.Type = T.self) throws(GLibError) -> UnsafeMutablePointer<T>
    {
        guard let object = gtk_builder_get_object(builder.cast(), id) else {
            throw GLibError(domain: "builder", message: "\(path) has no object named “\(id)”.")
        }
        return UnsafeMutableRawPointer(object).assumingMemoryBound(to: T.self)
    }
}
