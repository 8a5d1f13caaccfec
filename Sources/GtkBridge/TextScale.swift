// SPDX-License-Identifier: GPL-3.0-or-later

// GTK 3 enlarges texts with the desktop's text scale, but no icons, which would stay tiny beside them.
extension Widget {
    /// The factor by which the desktop enlarges texts, at least 1.
    @MainActor public var textScale: Double {
        // The resolution is negative if the desktop has not set it.
        max(1, gdk_screen_get_resolution(gtk_widget_get_screen(self)) / 96)
    }

    /// Calls a closure with the text scale if it is not 1, and then after each change while the widget is in use.
    @MainActor public func followTextScale(_ body: @escaping @MainActor (Double) -> Void) {
        var last = 1.0
        let widget = self
        let update: @MainActor () -> Void = {
            let scale = widget.textScale
            guard scale != last else { return }
            last = scale
            body(scale)
        }
        Signal.connect(self, "style-updated", update)
        update()
    }

    /// Whether the widget is an image of an arrow that opens something, as in the rows of GTK and libhandy, where it does
    /// not grow with the text.
    @MainActor var isRowArrow: Bool {
        guard cgtk_instance_is_a(self, gtk_image_get_type()) != 0 else { return false }
        var name: UnsafePointer<CChar>?
        gtk_image_get_icon_name(cast(), &name, nil)
        return name.map { String(cString: $0).hasPrefix("pan-") } ?? false
    }

    /// Puts the children of a horizontal box below each other while the desktop's text is large.
    @MainActor public func stackWithLargeText() {
        let box = OpaquePointer(self)
        followTextScale { scale in
            gtk_orientable_set_orientation(
                box, scale < 1.5 ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
        }
    }

    @MainActor public func growIconWithText() {
        let image: UnsafeMutablePointer<GtkImage> = cast()
        let own = gtk_image_get_pixel_size(image)
        var side = own
        if own < 0 {
            var size = GTK_ICON_SIZE_BUTTON
            gtk_image_get_icon_name(image, nil, &size)
            gtk_icon_size_lookup(size, &side, nil)
        }
        followTextScale { scale in
            gtk_image_set_pixel_size(image, scale == 1 ? own : gint((Double(side) * scale).rounded()))
        }
    }
}
