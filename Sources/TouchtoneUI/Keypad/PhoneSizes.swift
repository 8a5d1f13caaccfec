// SPDX-License-Identifier: GPL-3.0-or-later

/// The sizes of the display and the keys in a window of a certain size, in layout pixels.
///
/// They depend on the window and on the text scale alone, so that nothing that the phone shows moves a key.
struct PhoneSizes: Equatable {
    /// The factor by which the phone is wider than 360 pixels, in quarters.
    let factor: Double
    /// The height of a key of the keypad, and of a soft key.
    let key, soft: Int
    /// The distance of two rows, and of two columns, of keys.
    let gap, columnGap: Int
    /// The distance of the display's rows.
    let rowGap: Int
    /// Whether the display is too low for rows that grow with the desktop's texts.
    let ignoresTextScale: Bool
    /// Whether the letters stand beside the digit of a low key, not below it.
    let hasLettersBeside: Bool
    /// The factor by which the type on the keys is enlarged, beside that of the desktop; one of `legends`.
    let legend: Double
    /// The height of a paper strip below the digit.
    let strip: Int

    /// The width of the whole column.
    var width: Int { Int((Double(Self.width) * factor).rounded()) }

    /// The factors for which the style sheet has classes.
    static let factors = [1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3]
    static let legends = [
        0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5,
        2.75, 3,
    ]

    /// The width of the column at factor 1.
    private static let width = 360
    /// The usual height of a key.
    private static let usual = 60
    /// The factor for keys of 36 pixels, which a finger can still hit.
    private static let lowest = 0.6
    /// The factor by which keys become higher than in proportion to their width.
    private static let tallest = 1.75

    /// - Parameters:
    ///   - width: The width for the phone, in layout pixels.
    ///   - height: The height for all below the header.
    init(width: Int, height: Int, textScale: Double) {
        let factor =
            Self.factors.last { factor in
                factor * Double(Self.width) <= Double(width)
                    && Self.height(factor, factor, textScale) + Self.bottom(factor, factor, textScale)
                        <= height
            } ?? 1
        let fitting = { (ignoresTextScale: Bool) in
            stride(from: Int(Self.tallest * factor * 100), through: Int(Self.lowest * 100), by: -1).lazy
                .map { Double($0) / 100 }.first { growth in
                    Self.height(factor, growth, ignoresTextScale ? 1 : textScale)
                        + Self.bottom(factor, growth, textScale) <= height
                }
        }
        // Rather a low display than keys that are hard to hit.
        let growth = fitting(false).flatMap { $0 >= 0.8 || textScale <= 1 ? $0 : nil }
        self.init(
            factor: factor, growth: growth ?? fitting(true) ?? Self.lowest, textScale: textScale,
            ignoresTextScale: growth == nil)
    }

    private init(factor: Double, growth: Double, textScale: Double, ignoresTextScale: Bool) {
        (self.factor, self.ignoresTextScale) = (factor, ignoresTextScale)
        key = Self.key(growth)
        soft = Self.soft(factor, growth)
        gap = Self.gap(growth)
        columnGap = Int((12 * factor).rounded())
        rowGap = Self.rowGap(factor, growth)
        let wanted = textScale * max(1, min(growth, 1.4 * factor))
        let below = min(wanted, 2 * factor, (Double(key) - Self.rim) / Self.twoLines)
        hasLettersBeside = below < min(1, wanted)
        let type =
            hasLettersBeside
            ? min(textScale, 1.3 * factor, (Double(key) - Self.rim) / Self.oneLine) : below
        legend = Self.legends.last { $0 * textScale <= type + 0.001 } ?? Self.legends[0]
        let shown = legend * textScale
        strip = Int(min(Self.usualStrip * shown, Double(key) - Self.rim - Self.stripDigit * shown))
    }

    /// The height of a key's rim, and of its digit with and without letters below it, at factor 1; these fit the fonts of
    /// other scripts, whose lines are higher.
    private static let (rim, twoLines, oneLine) = (8.0, 37.0, 26.0)

    /// The usual height of a strip, and the height of the smaller digit above it, at factor 1.
    private static let (usualStrip, stripDigit) = (22.0, 22.0)

    /// Returns the least height for all below the header: that of the lowest keys.
    static func leastHeight(textScale: Double) -> Int {
        height(1, lowest, 1) + bottom(1, lowest, textScale)
    }

    /// Returns the height for all below the header in which the type has the size that the desktop asks for.
    static func comfortableHeight(textScale: Double) -> Int {
        let growth = max(1, (rim + twoLines * textScale) / Double(usual))
        return height(1, growth, textScale) + bottom(1, growth, textScale)
    }

    // MARK: - Heights

    private static func key(_ growth: Double) -> Int { Int(Double(usual) * growth + 0.001) }

    private static func gap(_ growth: Double) -> Int { Int(12 * growth + 0.001) }

    private static func soft(_ factor: Double, _ growth: Double) -> Int {
        Int(32 * max(1, min(growth, 1.4 * factor)))
    }

    private static func rowGap(_ factor: Double, _ growth: Double) -> Int {
        Int(7 * min(growth, 1.4 * factor) + 0.001)
    }

    /// Returns the height of the display and the keys.
    private static func height(_ factor: Double, _ growth: Double, _ textScale: Double) -> Int {
        let metrics = DisplayMetrics(textScale: textScale, factor: factor)
        let display = 2 * metrics.row + metrics.large + 2 * Double(rowGap(factor, growth)) + frame
        return 2 * padding + Int(display) + soft(factor, growth) + 5 * key(growth) + 6 * gap(growth)
    }

    /// The distance of the set's content from its edges, and the height of the display's frame.
    private static let (padding, frame) = (8, 18.0)

    /// Returns the height for the grille and for what takes its place, such as the second call.
    private static func bottom(_ factor: Double, _ growth: Double, _ textScale: Double) -> Int {
        let strip = Double(gap(growth)) + 15.4 * textScale + 4 + max(32, 12.1 * textScale + 2)
        // A larger phone begins where the usual one has room to spare.
        return growth > 1 ? Int(max(strip, 106 + 60 * (factor - 1))) : Int(strip.rounded(.up))
    }
}
