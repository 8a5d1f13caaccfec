// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A drawn picture that is painted in many frames, because to draw it takes longer: an avatar in a scrolled list, or a cassette
/// whose reels turn.
@MainActor
final class CachedDrawing {
    let surface: OpaquePointer
    private let side: Double
    private let scale: gint

    /// - Parameters:
    ///   - target: The surface on which it will be painted.
    ///   - side: In layout pixels.
    ///   - scale: The number of screen pixels per layout pixel.
    init?(
        like target: OpaquePointer?, side: Double, scale: gint, draw: (OpaquePointer) -> Void
    ) {
        let size = gint(side.rounded(.up))
        guard let surface = cairo_surface_create_similar(target, CAIRO_CONTENT_COLOR_ALPHA, size, size),
            let cairo = cairo_create(surface)
        else { return nil }
        (self.surface, self.side, self.scale) = (surface, side, scale)
        draw(cairo)
        cairo_destroy(cairo)
    }

    isolated deinit { cairo_surface_destroy(surface) }

    func fits(_ side: Double, scale: gint) -> Bool { self.side == side && self.scale == scale }
}
