// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The column of the lock screen, whose keys and display grow with the window.
///
/// Messages have the height that they need: the keys become lower for a long one, and the window becomes higher only for
/// one that does not fit with the lowest keys. Where large texts leave too little room for the keys, they are limited.
@MainActor
final class LockColumn {
    private let screen, place, base, column, display, stripes, title, message, keys, call: Widget
    private let digits: [Widget]
    private let lockDisplay: LockDisplay
    private var sizes: LockSizes?
    private var least = 0

    init(_ builder: Builder, _ lockDisplay: LockDisplay) throws(GLibError) {
        self.lockDisplay = lockDisplay
        (screen, call) = (try builder.object("lock-screen"), try builder.object("call-place"))
        (place, base) = (try builder.object("lock-place"), try builder.object("lock-base"))
        (column, display) = (try builder.object("lock-column"), try builder.object("lock-display"))
        (stripes, title) = (try builder.object("lock-stripes"), try builder.object("title"))
        (message, keys) = (try builder.object("lock-message"), try builder.object("keys"))
        var digits: [Widget] = []
        for digit in 0...9 { digits.append(try builder.object("digit-\(digit)")) }
        self.digits = digits
        gtk_container_add(display.cast(), lockDisplay.widget)
        gtk_widget_set_margin_bottom(stripes, gint(LockSizes.stripesGap))
        apply(.least(textScale: place.textScale))
        Signal.connectPlace(place) { [weak self] in self?.place(of: $0) }
        place.followTextScale { [weak self] scale in
            self?.apply(.least(textScale: scale))
            self.map { gtk_widget_queue_resize($0.place) }
        }
    }

    /// Returns the height that a widget requests in a width.
    private static func height(of widget: Widget, in width: gint) -> Int {
        var (height, natural): (gint, gint) = (0, 0)
        gtk_widget_get_preferred_height_for_width(widget, width, &height, &natural)
        return Int(height)
    }

    /// Measures the column, and requests what it needs with the lowest keys.
    ///
    /// - Parameter isStyled: False if the column still has the texts of another size.
    private func measure(width: gint, isStyled: Bool = true) -> (others: Int, text: Int) {
        let text = message.children.filter(\.isVisible).reduce(0) { $0 + Self.height(of: $1, in: width) }
        // Keys whose type has become smaller still request the height of the larger one until they are styled anew.
        let withoutKeys = Self.height(of: column, in: width) - Self.height(of: keys, in: width)
        let others = withoutKeys - (sizes.map { $0.height(text: text) - $0.keysHeight } ?? 0)
        let needed = needed(others: others, text: text, width: width)
        if isStyled, needed != least {
            least = needed
            resizeSoon()
        }
        return (others, text)
    }

    /// Returns the height of the place without which not even the lowest keys fit.
    private func needed(others: Int, text: Int, width: gint) -> Int {
        let textScale = place.textScale
        let limitsText = sizes?.limitsText ?? false
        let least = others + LockSizes.least(textScale: textScale, limitsText: limitsText).height(text: text)
        guard !limitsText, LockSizes.canLimitText(textScale: textScale) else { return least }
        let call = Self.height(of: call, in: width)
        return min(least, LockSizes.leastLimited(text: text, call: call, textScale: textScale))
    }

    private var limitsText: Bool {
        let messages = message.children.filter(\.isVisible).reduce(0) { $0 + $1.text.count }
        return LockSizes.limitsText(
            height: Int(gtk_widget_get_allocated_height(screen)), message: messages,
            textScale: place.textScale)
    }

    /// Requests what is needed, and places the column once more: GTK may forget what is requested while it places widgets.
    private func resizeSoon() {
        MainLoop.soon { [weak self] in
            guard let self else { return }
            gtk_widget_set_size_request(base, -1, gint(least))
            gtk_widget_queue_resize(place)
        }
    }

    private func place(of part: Widget) -> GdkRectangle? {
        guard part == column else { return nil }
        let (width, height) = (gtk_widget_get_allocated_width(place), gtk_widget_get_allocated_height(place))
        guard width > 1, height > 1 else { return nil }
        let (others, text) = measure(width: width)
        let limitedText = sizes?.limitsText
        apply(
            .fitting(
                width: Int(width), height: Int(height) - others, text: text, textScale: place.textScale,
                limitsText: limitsText))
        let isStyled = sizes?.limitsText == limitedText
        // GTK expects that a widget is measured before its size is set.
        _ = measure(width: width, isStyled: isStyled)
        // The texts have their new size in the next frame, which may not change the place.
        if !isStyled { resizeSoon() }
        return GdkRectangle(x: 0, y: 0, width: width, height: height)
    }

    private func apply(_ sizes: LockSizes) {
        guard sizes != self.sizes else { return }
        self.sizes = sizes
        gtk_widget_set_size_request(display, gint(sizes.displayWidth), -1)
        screen.set(style: "limited", sizes.limitsText)
        lockDisplay.setSize(
            factor: sizes.factor, rowGap: sizes.displayGap, ignoresTextScale: sizes.limitsText)
        stripes.isVisible = sizes.hasStripes
        gtk_widget_set_margin_top(title, gint(sizes.title.over))
        gtk_widget_set_margin_bottom(title, gint(sizes.title.below))
        gtk_widget_set_margin_top(message, gint(sizes.message.over))
        gtk_widget_set_margin_bottom(message, gint(sizes.message.below))
        gtk_widget_set_size_request(message, -1, gint(sizes.message.least))
        gtk_grid_set_row_spacing(keys.cast(), guint(sizes.rowGap))
        gtk_grid_set_column_spacing(keys.cast(), guint(sizes.columnGap))
        for key in digits {
            gtk_widget_set_size_request(key, gint(sizes.key.width), gint(sizes.key.height))
            KeyButton.set(lettersOf: key, areBeside: sizes.hasLettersBeside)
        }
        PhoneColumn.set(style: "wide", sizes.factor, of: PhoneSizes.factors, on: column)
        PhoneColumn.set(style: "legends", sizes.legend, of: PhoneSizes.legends, on: keys)
        keys.set(style: "beside", sizes.hasLettersBeside)
    }
}
