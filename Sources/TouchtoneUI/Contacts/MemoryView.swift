// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The nine memory keys with their numbers and addresses, and a menu for each.
@MainActor
final class MemoryView {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
    var onBack: (@MainActor () -> Void)?
    private let book: ContactBook
    private let phone: Phone
    private weak var navigator: (any Navigator)?
    private let back = Widget.iconButton(
        "go-previous-symbolic", name: localized("Back to the contacts"),
        tip: localized("Back to the contacts (Esc)"))
    private var keys: [(key: Widget, name: Widget, number: Widget)] = []

    init(book: ContactBook, phone: Phone, navigator: (any Navigator)?) {
        (self.book, self.phone, self.navigator) = (book, phone, navigator)
        let top = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
        top.add(back)
        top.add(Widget.label(localized("Memory Keys"), style: "card-title"))
        let grid: Widget = gtk_grid_new()
        gtk_grid_set_row_spacing(grid.cast(), 8)
        gtk_grid_set_column_spacing(grid.cast(), 8)
        gtk_grid_set_column_homogeneous(grid.cast(), 1)
        // A keypad is not mirrored in right-to-left languages.
        gtk_widget_set_direction(grid, GTK_TEXT_DIR_LTR)
        for digit in 1...9 { makeKey(digit) }
        // GtkGrid puts new children first, and assistive tools read them in that order.
        for (index, key) in keys.enumerated().reversed() {
            gtk_grid_attach(grid.cast(), key.key, gint(index % 3), gint(index / 3), 1, 1)
        }
        let hint = Widget.label(
            localized(
                "Press MEM, then a digit, to dial. Hold MEM, then press a digit, to store the number on the display."
            ),
            style: "empty-text")
        gtk_label_set_line_wrap(hint.cast(), 1)
        gtk_label_set_max_width_chars(hint.cast(), 30)
        for part in [top, grid, hint] { widget.add(part) }
        gtk_widget_show_all(widget)
        Signal.connect(back, "clicked") { [weak self] in self?.onBack?() }
        phone.officeKeys?.observe(by: self) { [weak self] in self?.show() }
        show()
    }

    private func makeKey(_ digit: Int) {
        let key: Widget = gtk_button_new()
        for style in ["key", "soft", "memory-key"] { key.set(style: style, true) }
        gtk_widget_set_hexpand(key, 1)
        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 1)
        let (name, number) = (Widget.cutLabel(style: "memory-name"), Widget.cutLabel(style: "memory-number"))
        gtk_widget_set_direction(number, GTK_TEXT_DIR_LTR)
        for label in [Widget.label("\(digit)", style: "memory-digit"), name, number] {
            gtk_label_set_xalign(label.cast(), 0.5)
            // Three keys fit side by side in the narrowest panel.
            gtk_label_set_width_chars(label.cast(), 1)
            column.add(label)
        }
        gtk_container_add(key.cast(), column)
        keys.append((key, name, number))
        Signal.connect(key, "clicked") { [weak self] in self?.openMenu(digit) }
    }

    func show() {
        for (index, (key, name, number)) in keys.enumerated() {
            let held = book.memory[index + 1]
            let called = held.map { PlainText.line(book.name(of: $0), maximum: 80) } ?? ""
            let text = held.map { PlainText.line(phone.text(of: $0.target), maximum: 300) } ?? ""
            // The last digits of a number tell most, and both ends of an address.
            var isAddress = false
            if case .address = held?.target { isAddress = true }
            gtk_label_set_ellipsize(
                number.cast(), isAddress ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_START)
            name.text = held == nil ? ContactStrings.emptyMemoryKey : called.isEmpty ? text : called
            let state = phone.officeKeys?.state(ofKey: index + 1)?.text ?? ""
            number.text = [called.isEmpty ? "" : text, state].filter { !$0.isEmpty }.joined(separator: " · ")
            key.set(style: "empty", held == nil)
            let parts = [
                localized("Memory key {digit}", ["digit": String(index + 1)]), name.text,
                called.isEmpty ? "" : text, state,
            ].filter { !$0.isEmpty }
            cgtk_widget_set_accessible(key, localizedList(parts), nil)
            gtk_widget_set_tooltip_text(key, parts.dropFirst().joined(separator: "\n"))
        }
    }

    func focus() { gtk_widget_grab_focus(keys[0].key) }

    private func openMenu(_ digit: Int) {
        let (held, typed) = (book.memory[digit], phone.targetToStore)
        var items: [ContextMenu.Item?] = []
        if let held {
            let rings = phone.officeKeys?.state(ofKey: digit) == .ringing
            items.append(
                .init(rings ? localizedIn("verb", "Pick Up") : localizedIn("verb", "Call")) {
                    [weak navigator] in
                    navigator?.callKept(held.target)
                })
        }
        let text = typed.map { PlainText.line(phone.text(of: $0), maximum: 60) } ?? ""
        items.append(
            .init(
                text.isEmpty
                    ? localized("Store the Displayed Number") : localized("Store {number}", ["number": text]),
                isEnabled: !text.isEmpty
            ) { [book] in
                guard let typed else { return }
                book.setMemoryKey(digit, MemoryKey(typed, name: book.name(for: typed.remote) ?? ""))
            })
        if let held { items += watchItems(held.target) }
        if held != nil {
            items += [nil, .init(localized("Clear Memory Key")) { [book] in book.setMemoryKey(digit, nil) }]
        }
        ContextMenu(items: items).open(at: keys[digit - 1].key, event: nil)
    }

    /// Returns the choices of the accounts that can watch a number or an address, and of none.
    private func watchItems(_ target: CallTarget) -> [ContextMenu.Item?] {
        guard let office = phone.officeKeys, office.canWatch(target) else { return [] }
        let (lines, watching) = (office.watchingLines, office.line(watching: target))
        guard !lines.isEmpty else { return [] }
        func item(_ label: String, _ line: (any Line)?) -> ContextMenu.Item {
            let id = line?.id
            return .init(label, isChosen: id == watching?.id) { office.watch(target, on: id) }
        }
        let choices = lines.map { line in
            item(
                lines.count == 1
                    ? localized("Watch Extension")
                    : localized(
                        "Watch Extension on {account}",
                        ["account": PlainText.line(CallAddress.shown(line.address), maximum: 60)]),
                line)
        }
        return [nil, item(localized("Do Not Watch"), nil)] + choices
    }
}
