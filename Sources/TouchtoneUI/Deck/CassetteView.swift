// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A microcassette whose reels turn while it plays or records, unless the desktop asks for no motion.
///
/// At rest it draws nothing, and wakes nothing.
@MainActor
final class CassetteView {
    let widget: Widget = gtk_drawing_area_new()
    private let width, height: Double
    private let hasLine: Bool
    private let movement: FrameLoop
    private var shell: CachedDrawing?
    private var (label, progress, turn) = ("", 0.0, 0.0)
    private var isTurning = false
    /// The time of a turn of the reels, in seconds.
    private static let turnTime = 2.0

    /// - Parameters:
    ///   - width: In layout pixels; the height follows.
    ///   - hasLine: Whether the label has a line of handwriting.
    init(width: Double, hasLine: Bool) {
        (self.width, self.hasLine) = (width, hasLine)
        height = (width * 104 / 164).rounded()
        movement = FrameLoop(widget)
        gtk_widget_set_size_request(widget, gint(width), gint(height))
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        Signal.connectDraw(widget) { [weak self] in self?.draw($0) }
        for signal in ["map", "unmap"] {
            Signal.connect(widget, signal) { [weak self] in self?.updateMovement() }
        }
    }

    /// - Parameters:
    ///   - label: The handwriting, in one line.
    ///   - progress: The part of the tape that has been played, 0...1.
    func show(label: String = "", progress: Double, isTurning: Bool) {
        if label != self.label { shell = nil }
        let isSame = (label, progress) == (self.label, self.progress)
        (self.label, self.progress) = (label, progress)
        if !isSame { gtk_widget_queue_draw(widget) }
        guard isTurning != self.isTurning else { return }
        self.isTurning = isTurning
        updateMovement()
    }

    private func updateMovement() {
        guard isTurning, gtk_widget_get_mapped(widget) != 0, widget.isAnimated else { return movement.end() }
        guard !movement.isRunning else { return }
        let first = turn
        movement.begin { [weak self] time in
            guard let self else { return false }
            turn = (first + time * 2 * .pi / Self.turnTime).truncatingRemainder(dividingBy: 2 * .pi)
            drawReels()
            return true
        }
    }

    private func drawReels() {
        let (x, y, wide, tall) = CassettePainter.window(width: width, height: height, hasLine: hasLine)
        gtk_widget_queue_draw_area(widget, x, y, wide, tall)
    }

    private func draw(_ cairo: OpaquePointer) {
        let scale = gtk_widget_get_scale_factor(widget)
        if shell?.fits(width, scale: scale) != true {
            shell = CachedDrawing(like: cairo_get_target(cairo), side: width, scale: scale) { [label] in
                painter($0).drawShell(label: label)
            }
        }
        guard let shell else { return }
        cairo_set_source_surface(cairo, shell.surface, 0, 0)
        cairo_paint(cairo)
        painter(cairo).drawWindow(progress: progress, turn: turn)
    }

    private func painter(_ cairo: OpaquePointer) -> CassettePainter {
        CassettePainter(cairo: cairo, widget: widget, width: width, height: height, hasLine: hasLine)
    }
}
