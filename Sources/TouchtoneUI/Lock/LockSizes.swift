// SPDX-License-Identifier: GPL-3.0-or-later

/// The sizes of the lock screen in a window of a certain size, in layout pixels.
struct LockSizes: Equatable {
    /// The factor by which the display is enlarged, one of `PhoneSizes.factors`.
    let factor: Double
    /// The size of a digit key, which is a circle, or wider than high in a low window.
    let key: (width: Int, height: Int)
    let rowGap, columnGap: Int
    /// The distance of the display's rows.
    let displayGap: Int
    /// The distances over and below the title.
    let title: (over: Int, below: Int)
    /// The distances over and below the messages, and their least height.
    let message: (over: Int, below: Int, least: Int)
    let hasStripes: Bool
    /// Whether the letters stand beside the digit of a low key, not below it.
    let hasLettersBeside: Bool
    /// The factor by which the type on the keys is enlarged, one of `PhoneSizes.legends`.
    let legend: Double
    /// Whether texts have at most the size of a text scale of `greatestText`, and the display's rows do not grow with it.
    let limitsText: Bool
    private let height: Int

    /// The width of the display at factor 1, and the least distance from the edges of the window.
    private static let (width, margin) = (320, 8)
    /// The height of the lowest keys, which a finger can still hit.
    private static let lowestKey = 36.0
    /// The greatest factor, in percent.
    private static let highest = 225

    /// The width of the display.
    var displayWidth: Int { Int(Double(Self.width) * factor) }

    /// Returns the largest sizes that fit.
    ///
    /// - Parameters:
    ///   - height: The height for all that has these sizes.
    ///   - text: The height of the messages.
    static func fitting(
        width: Int, height: Int, text: Int, textScale: Double, limitsText: Bool = false
    ) -> LockSizes {
        for percent in stride(from: highest, through: lowest(textScale: textScale), by: -1) {
            let sizes = LockSizes(percent: percent, textScale: textScale, limitsText: limitsText)
            let keys = 3 * sizes.key.width + 2 * sizes.columnGap
            if max(keys, sizes.displayWidth) + 2 * margin > width { continue }
            if sizes.height(text: text) <= height { return sizes }
        }
        return least(textScale: textScale, limitsText: limitsText)
    }

    // MARK: - Limited texts

    /// The text scale for the sizes that the style sheet has for the class `limited`.
    private static let greatestText = 1.25
    /// The heights of the title with the row below it, and of a call's place, with limited texts.
    private static let limited = (others: 70, call: 74)

    /// Returns whether texts that grow with the desktop's leave too little room for the keys.
    ///
    /// It depends on nothing that is measured with either size of the texts, so that it does not alternate.
    ///
    /// - Parameters:
    ///   - height: The height of the whole window.
    ///   - message: The count of the messages' characters.
    static func limitsText(height: Int, message: Int, textScale: Double) -> Bool {
        guard textScale > greatestText else { return false }
        let lines = max(2, (message + 19) / 20)
        return Double(height) < 308 + (127 + 15 * Double(lines)) * textScale
    }

    /// Returns the height that is needed if texts become limited.
    ///
    /// - Parameters:
    ///   - text: The height of the messages as they are now.
    ///   - call: The height of a call's place as it is now, which comes on top.
    static func leastLimited(text: Int, call: Int, textScale: Double) -> Int {
        let text = Int((Double(text) * greatestText / textScale).rounded(.up))
        return least(textScale: textScale, limitsText: true).height(text: text) + limited.others
            + limited.call
            - call
    }

    /// Returns whether texts can become limited.
    static func canLimitText(textScale: Double) -> Bool { textScale > greatestText }

    // MARK: - Heights

    /// The height of the four rows of keys.
    var keysHeight: Int { 4 * key.height + 3 * rowGap }

    /// Returns the height of all that has these sizes, with messages of a height.
    func height(text: Int) -> Int { height + max(0, text - message.least) }

    static func least(textScale: Double, limitsText: Bool = false) -> LockSizes {
        LockSizes(percent: lowest(textScale: textScale), textScale: textScale, limitsText: limitsText)
    }

    /// Returns the factor for the lowest keys, in percent.
    private static func lowest(textScale: Double) -> Int {
        Int((100 * lowestKey / side(textScale: textScale)).rounded(.up))
    }

    /// Returns the usual size of a key: it grows half as much as the desktop's text, so that three fit side by side in the
    /// narrowest window.
    private static func side(textScale: Double) -> Double { 50 + 24 * textScale }

    init(percent: Int, textScale: Double, limitsText: Bool = false) {
        self.limitsText = limitsText
        let growth = Double(percent) / 100
        factor = PhoneSizes.factors.last { $0 <= growth } ?? 1
        let side = Int(Self.side(textScale: textScale) * growth)
        // 0 in the lowest window and 1 in one of the usual height.
        let room = min(1, max(0, (growth - 0.6) / 0.4))
        hasLettersBeside = growth < 0.88
        let height = max(Int(Self.lowestKey), side)
        key = (hasLettersBeside ? max(side, 98) : height, height)
        rowGap = Int(growth > 1 ? 16 * growth : 7 + 9 * room)
        columnGap = Int(growth > 1 ? 22 * growth : 12 + 10 * room)
        displayGap = Int(growth > 1 ? 7 * growth : 4 + 3 * room)
        title = (Int(6 + 16 * room * max(1, growth)), Int(2 + 14 * room * max(1, growth)))
        message = (Int(2 + 4 * room), Int(4 + 10 * room), Int(18 + 12 * room))
        hasStripes = growth >= 0.95
        let type =
            hasLettersBeside ? min(1, min(1.3, Double(height - 8) / 26) / textScale) : max(1, growth)
        legend = PhoneSizes.legends.last { $0 <= type } ?? 1
        let display = LockDisplay.height(
            factor: factor, rowGap: displayGap, textScale: limitsText ? 1 : textScale)
        let margins = title.over + title.below + message.over + message.below + message.least
        self.height =
            display + 4 * key.height + 3 * rowGap + margins + (hasStripes ? Self.stripes : 0)
    }

    /// The height of the stripes, and their distance from the display.
    static let stripes = 9 + stripesGap
    static let stripesGap = 12

    static func == (one: LockSizes, other: LockSizes) -> Bool {
        one.factor == other.factor && one.key == other.key && one.rowGap == other.rowGap
            && one.columnGap == other.columnGap && one.displayGap == other.displayGap
            && one.title == other.title && one.message == other.message
            && one.hasStripes == other.hasStripes && one.hasLettersBeside == other.hasLettersBeside
            && one.legend == other.legend && one.limitsText == other.limitsText && one.height == other.height
    }
}
