// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A link as a QR code, with a button that copies it.
@MainActor
struct OwnCodeView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    /// The greatest width of the code, in layout pixels.
    private static let side = 190
    /// The width of the margin that scanners need, in modules.
    private static let margin = 4

    init(_ link: String) {
        do throws(SharedLibrary.Failure) {
            addCode(try QRCode(link))
        } catch {
            DebugLog.write("QR code: \(error.reason)")
            widget.add(.wrappedLabel(localized("There is no code, because libqrencode is not installed.")))
        }
        let copy = Widget.button(localized("Copy Link"))
        widget.add(copy)
        Signal.connect(copy, "clicked") {
            Clipboard.write(link)
            gtk_button_set_label(copy.cast(), localized("Copied"))
            copy.announce(localized("Copied"))
        }
    }

    private func addCode(_ code: QRCode) {
        let area: Widget = gtk_drawing_area_new()
        let (margin, count) = (Self.margin, code.side + 2 * Self.margin)
        // Modules of whole pixels are all as wide.
        let module = Double(max(2, Self.side / count))
        let side = gint(module) * gint(count)
        gtk_widget_set_size_request(area, side, side)
        gtk_widget_set_halign(area, GTK_ALIGN_CENTER)
        cgtk_widget_set_accessible(
            area, localized("QR Code of Your Keys"),
            localized("For the camera of another device. The link says the same."))
        atk_object_set_role(gtk_widget_get_accessible(area), ATK_ROLE_IMAGE)
        Signal.connectDraw(area) { cairo in
            // Dark on light in every palette, because many scanners read nothing else.
            cairo_set_source_rgb(cairo, 1, 1, 1)
            cairo_paint(cairo)
            cairo_set_source_rgb(cairo, 0, 0, 0)
            cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE)
            for y in 0..<code.side {
                for x in 0..<code.side where code.isDark(x, y) {
                    cairo_rectangle(
                        cairo, Double(x + margin) * module, Double(y + margin) * module, module, module)
                }
            }
            cairo_fill(cairo)
        }
        widget.add(area)
    }
}
