// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The level picture of a sound: bars as high as the sound is loud, on which the user moves within it.
@MainActor
final class LevelPicture {
    let widget: Widget = gtk_overlay_new()
    /// Called with the place in the sound to which the user moves.
    var onMove: (@MainActor (Duration) -> Void)?

    private let bars: Widget = gtk_drawing_area_new()
    private let position: PositionScale
    private var levels: [UInt8] = []
    private var fraction = 0.0
    /// The height, and the distance and the width of bars, in layout pixels.
    private static let (height, pitch, thickness) = (28.0, 4.0, 2.5)

    /// - Parameter width: The natural width, in layout pixels.
    init(width: Int) {
        position = PositionScale(style: "level-scale")
        gtk_widget_set_size_request(bars, gint(width), gint(Self.height))
        gtk_container_add(widget.cast(), bars)
        gtk_overlay_add_overlay(widget.cast(), position.widget)
        Signal.connectDraw(bars) { [weak self] in self?.draw($0) }
        position.onMove = { [weak self] in self?.onMove?($0) }
        gtk_widget_show_all(widget)
    }

    /// - Parameters:
    ///   - levels: The levels of equal parts, 0...255; empty if they are not known.
    ///   - place: The place in the sound.
    func show(_ levels: [UInt8], at place: Duration, of length: Duration, isMovable: Bool) {
        let fraction = place.part(of: length)
        let isSame = levels == self.levels && fraction == self.fraction
        (self.levels, self.fraction) = (levels, fraction)
        position.show(place, of: length, isMovable: isMovable)
        if !isSame { gtk_widget_queue_draw(bars) }
    }

    private func draw(_ cairo: OpaquePointer) {
        let width = Double(gtk_widget_get_allocated_width(bars))
        let height = Double(gtk_widget_get_allocated_height(bars))
        let count = Int(width / Self.pitch)
        guard count > 0 else { return }
        // Time goes as the text does.
        if gtk_widget_get_direction(bars) == GTK_TEXT_DIR_RTL {
            cairo_translate(cairo, width, 0)
            cairo_scale(cairo, -1, 1)
        }
        for index in 0..<count {
            bars.takePen(
                cairo, width: 1, alpha: Double(index) < Double(count) * fraction || fraction == 0 ? 1 : 0.45)
            let level = levels.isEmpty ? 0 : Double(levels[index * levels.count / count]) / 255
            let tall = max(3, (level * (height - 4)).rounded())
            AvatarPainter.addRectangle(
                to: cairo, x: Double(index) * Self.pitch, y: (height - tall) / 2, width: Self.thickness,
                height: tall, radius: 1.2)
            cairo_fill(cairo)
        }
    }
}
