// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The sizes of the display's rows, in layout pixels.
struct DisplayMetrics: Equatable {
    /// The distance of two dots of status and caption.
    let pitch: Double
    /// The height of the status and of the caption.
    let row: Double
    /// The height of the large line.
    let large: Double

    /// - Parameters:
    ///   - textScale: The factor by which the desktop enlarges texts, at least 1.
    ///   - factor: The factor by which the phone is wider than 360 pixels, at least 1.
    init(textScale: Double, factor: Double = 1) {
        pitch = max(textScale > 1.25 ? 3 : 2, (2 * factor).rounded(.down))
        row = pitch * Double(DotLetters.rows)
        // The digits grow half as much as texts, so that the phone keeps its width.
        large = (28 * factor * (1 + (textScale - 1) / 2)).rounded()
    }

    /// The pitches for a name in the large line, the preferred one first.
    var namePitches: [Double] {
        Array(stride(from: max(pitch, (3 * large / 28).rounded(.down)), through: pitch, by: -1))
    }

    /// The pitch for the shapes of letters without a table, which are twice as high.
    var shapePitch: Double { max(2, (large / Double(LetterShapes.rows)).rounded(.down)) }
}

/// The size of a display, which its rows share.
@MainActor
final class DisplaySize {
    /// The factor by which the phone is wider than 360 pixels, at least 1.
    var factor = 1.0
    /// Whether there is too little room for rows that grow with the desktop's texts.
    var ignoresTextScale = false

    func metrics(on widget: Widget) -> DisplayMetrics {
        DisplayMetrics(textScale: ignoresTextScale ? 1 : widget.textScale, factor: factor)
    }
}
