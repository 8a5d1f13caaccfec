// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover that asks, before the first number is dialled, which line the phone is to use.
///
/// It points at the display, which says so. The phone's keys still work, and close the popover.
@MainActor
final class LineChoicePrompt {
    private let display: Widget
    private let phone: Phone
    private let lines: LineRegistry
    private let settings: Settings
    private var open: TransientPopover?

    init(over display: Widget, _ dependencies: PhoneDependencies) {
        self.display = display
        (phone, lines, settings) = (dependencies.phone, dependencies.lines, dependencies.settings)
    }

    /// Shows the popover if the status is that a line is to be chosen, and hides it otherwise.
    func show(_ status: PhoneStatus) {
        guard status == .chooseLine else {
            open?.close()
            return open = nil
        }
        // The key that dialled moves the focus to the display afterwards, which would close the popover.
        MainLoop.soon { [weak self] in self?.ask() }
    }

    private func ask() {
        guard phone.status == .chooseLine, open?.isOpen != true else { return }
        let popover = TransientPopover(at: display)
        open = popover
        let box = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
        gtk_widget_set_size_request(box, TransientPopover.width, -1)
        box.set(style: "ask", true)
        box.add(
            Widget.wrappedLabel(
                localized("Which line should this phone use? You can change it in Preferences.")))
        for key in keys { box.add(key) }
        gtk_container_add(popover.widget.cast(), box)
        gtk_widget_show_all(box)
        popover.widget.setAccessible(name: localized("Choose a line"))
        gtk_popover_set_position(popover.widget.cast(), GTK_POS_BOTTOM)
        // A question that is left without an answer comes again with the next Dial.
        Signal.connect(popover.widget, "closed") { [phone] in phone.lineChosen() }
        popover.open(with: self)
    }

    private var keys: [Widget] {
        // There are no accounts yet: the last line is the exchange, and those before it are other apps.
        var keys = lines.lines.filter { $0.state == .available && $0.callsNumbers }.map { line in
            let name =
                line.id == "practice" ? LineStrings.name(of: line) : PlainText.line(line.name, maximum: 40)
            return key(localized("Use {line}", ["line": name])) { [settings] in
                settings[text: "dial-line"] = line.id
            }
        }
        let account = key(localized("Set Up an Account…")) {}
        gtk_actionable_set_detailed_action_name(OpaquePointer(account), "app.new-line-account")
        keys.insert(account, at: 0)
        return keys
    }

    /// Returns a button that ends the question; the user presses Dial again, because nothing is dialled automatically.
    private func key(_ text: String, _ choose: @escaping @MainActor () -> Void) -> Widget {
        let key = Widget.wrappedButton(text)
        Signal.connect(key, "clicked") { [weak self] in
            choose()
            self?.phone.lineChosen()
        }
        return key
    }
}
