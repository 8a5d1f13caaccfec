// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// A locale whose texts stand in brackets and are 1.4 times as long, to find texts that cannot be translated.
@MainActor
enum PseudoLocale {
    /// Runs `body` in that locale, with the texts that data/po/touchtone.pot lists.
    static func run(_ body: () throws -> Void) throws {
        try TestLocale.run(named: "xx") { catalogue in
            [
                "/usr/bin/python3", "-B", "\(Checkout.folder)/Tests/Tools/pseudo_locale.py",
                "\(Checkout.folder)/data/po/touchtone.pot", catalogue,
            ]
        } _: {
            XCTAssertEqual(localizedIn("between the parts of a list", ", "), ", ")
            try body()
        }
    }

    /// Runs `body` in that locale, and fails for each fault that it finds and `pseudo_locale.txt` does not list.
    static func check(_ body: @MainActor (inout TextFaults) throws -> Void) throws {
        let list = "\(Checkout.folder)/Tests/Tools/pseudo_locale.txt"
        let known = Set(
            try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map(String.init))
        try run {
            var faults = TextFaults()
            try body(&faults)
            let new = faults.lines.subtracting(known).sorted()
            XCTAssert(new.isEmpty, "not in pseudo_locale.txt:\n\(new.joined(separator: "\n"))")
        }
    }

    /// Returns the part of a text outside brackets, on one line, with 0 for each number; empty if it has no letters.
    static func untranslated(_ text: String) -> String {
        var depth = 0
        var rest = ""
        for character in text {
            switch character {
            case "[": depth += 1
            case "]": depth -= 1
            default: if depth <= 0 { rest.append(character) }
            }
        }
        guard rest.contains(where: \.isLetter) else { return "" }
        let words = rest.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.replacing(/[0-9]+/, with: "0")
    }
}

/// The faults in the texts of a window, one per line.
@MainActor
struct TextFaults {
    private(set) var lines: Set<String> = []

    /// Inspects a widget and its descendants, including hidden ones and menus, once it is drawn.
    mutating func look(at root: Widget) {
        if gtk_widget_get_mapped(root) != 0 { gtk_test_widget_wait_for_draw(root) }
        for widget in Self.all(below: root) {
            // Keys of the keyboard.
            if gtk_style_context_has_class(gtk_widget_get_style_context(widget), "keycap") != 0 { continue }
            for text in Self.texts(of: widget) {
                let rest = PseudoLocale.untranslated(text)
                if !rest.isEmpty { lines.insert("untranslated: \(rest)") }
            }
            if let text = Self.cutText(of: widget) { lines.insert("cut off: \(text)") }
        }
    }

    /// Inspects a window, and checks the minimum width of its content, around which GTK draws a frame and a shadow.
    mutating func look(at window: Widget, noWiderThan maximum: gint, _ name: String) {
        var least: gint = 0
        gtk_widget_get_preferred_width(gtk_bin_get_child(window.cast()), &least, nil)
        if least > maximum { lines.insert("too wide: \(name)") }
        look(at: window)
    }

    /// Checks texts that are shown elsewhere, such as in a dialog of the desktop.
    mutating func look(at texts: [String]) {
        for rest in texts.map(PseudoLocale.untranslated) where !rest.isEmpty {
            lines.insert("untranslated: \(rest)")
        }
    }

    /// Inspects the menu that is open, and closes it.
    mutating func lookAtMenu(file: StaticString = #filePath, line: UInt = #line) {
        waitUntil("a menu is open", file: file, line: line) { Self.openMenu != nil }
        guard let menu = Self.openMenu else { return }
        look(at: menu)
        gtk_menu_shell_cancel(menu.cast())
        waitUntil("the menu is closed", file: file, line: line) { Self.openMenu == nil }
    }

    /// Opens each menu button of a window, and inspects its menu.
    mutating func lookAtMenuButtons(of window: Widget, file: StaticString = #filePath, line: UInt = #line) {
        let buttons = descendants(of: window).filter {
            cgtk_instance_is_a($0, gtk_menu_button_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }
        XCTAssert(!buttons.isEmpty, "there is no menu button", file: file, line: line)
        for button in buttons {
            waitUntil("the menu is built", file: file, line: line) {
                gtk_menu_button_get_popover(button.cast()) != nil
            }
            guard let popover = gtk_menu_button_get_popover(button.cast()) else { continue }
            let menu = UnsafeMutableRawPointer(popover).assumingMemoryBound(to: GtkWidget.self)
            gtk_button_clicked(button.cast())
            waitUntil("the menu is open", file: file, line: line) { gtk_widget_get_mapped(menu) != 0 }
            look(at: menu)
            gtk_popover_popdown(menu.cast())
            waitUntil("the menu is closed", file: file, line: line) { gtk_widget_get_mapped(menu) == 0 }
        }
    }

    private static var openMenu: Widget? {
        gtk_grab_get_current().flatMap {
            cgtk_instance_is_a($0, gtk_menu_get_type()) != 0 && gtk_widget_get_mapped($0) != 0 ? $0 : nil
        }
    }

    private static func all(below root: Widget) -> [Widget] {
        descendants(of: root).flatMap { widget in
            guard cgtk_instance_is_a(widget, gtk_menu_button_get_type()) != 0,
                let popover = gtk_menu_button_get_popover(widget.cast())
            else { return [widget] }
            return [widget]
                + descendants(of: UnsafeMutableRawPointer(popover).assumingMemoryBound(to: GtkWidget.self))
        }
    }

    private static func texts(of widget: Widget) -> [String] {
        let accessible = gtk_widget_get_accessible(widget)
        var texts = [atk_object_get_name(accessible), atk_object_get_description(accessible)]
        if cgtk_instance_is_a(widget, gtk_label_get_type()) != 0 {
            texts.append(gtk_label_get_text(widget.cast()))
        }
        if cgtk_instance_is_a(widget, gtk_entry_get_type()) != 0 {
            texts.append(gtk_entry_get_placeholder_text(widget.cast()))
        }
        if cgtk_instance_is_a(widget, gtk_window_get_type()) != 0 {
            texts.append(gtk_window_get_title(widget.cast()))
        }
        let tip = gtk_widget_get_tooltip_text(widget)
        defer { g_free(tip) }
        return texts.compactMap { $0.map { String(cString: $0) } } + (tip.map { [String(cString: $0)] } ?? [])
    }

    /// Returns the text of a label that does not show all of it, unless it is a value.
    private static func cutText(of widget: Widget) -> String? {
        guard cgtk_instance_is_a(widget, gtk_label_get_type()) != 0, gtk_widget_get_mapped(widget) != 0,
            let layout = gtk_label_get_layout(widget.cast())
        else { return nil }
        var width: gint = 0
        pango_layout_get_pixel_size(layout, &width, nil)
        guard pango_layout_is_ellipsized(layout) != 0 || width > gtk_widget_get_allocated_width(widget) else {
            return nil
        }
        let text = String(cString: gtk_label_get_text(widget.cast()))
        return text.contains("[") ? text : nil
    }
}
