// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Notices below the page about completed actions, with a button such as Undo.
///
/// A notice with a button stays until its timeout, even if others follow, the newest at the bottom. If there
/// are too many, the oldest are hidden, and their timeout restarts when they are shown again. A notice
/// without a button is replaced by the next one. None times out while the pointer or the focus is on one.
@MainActor
package final class Toast {
    package static let time = Duration.seconds(10)
    /// The maximum number of notices that are visible at once.
    package static let maximum = 3

    private let clock: any Scheduler
    private let place: Widget
    /// The notices, oldest first.
    private var notices: [Notice] = []

    private final class Notice {
        let text, verb: String
        let gone: (@MainActor () -> Void)?
        let action: (@MainActor () -> Void)?
        var line: NoticeLine?
        var timer: (any ScheduledTimer)?

        init(
            _ text: String, _ verb: String, gone: (@MainActor () -> Void)?, action: (@MainActor () -> Void)?
        ) {
            (self.text, self.verb, self.gone, self.action) = (text, verb, gone, action)
        }
    }

    /// - Parameter place: The empty vertical box for the notices.
    init(in place: Widget, clock: any Scheduler) {
        (self.place, self.clock) = (place, clock)
        Signal.connect(place, "destroy") { [weak self] in self?.end() }
    }

    /// Forgets the notices of a window that is gone: their timers would look at widgets that do not exist.
    private func end() {
        for notice in notices { notice.timer?.cancel() }
        notices = []
    }

    /// Called when the notice that has the focus is removed, so that the focus must move elsewhere.
    var onLeave: (@MainActor () -> Void)?
    package var isShown: Bool { !notices.isEmpty }
    /// Whether the phone is locked: the notices, which contain names, are removed; their timeouts restart.
    package var isCovered = false { didSet { if isCovered != oldValue { arrange() } } }

    /// `gone` is called if the notice is removed without a click on its button, `action` after a click.
    package func show(
        _ text: String, verb: String = "", gone: (@MainActor () -> Void)? = nil,
        action: (@MainActor () -> Void)? = nil
    ) {
        for old in notices where old.action == nil { dismiss(old) }
        notices.append(Notice(text, verb, gone: gone, action: action))
        arrange()
    }

    package func dismiss() {
        if let last = notices.last { dismiss(last) }
    }

    /// Performs the action of the newest notice that has one; returns whether there was one.
    package func act() -> Bool {
        guard !isCovered, let last = notices.last(where: { $0.action != nil }) else { return false }
        act(last)
        return true
    }

    package func close() {
        while let last = notices.last { dismiss(last) }
    }

    private func dismiss(_ notice: Notice) {
        guard remove(notice) else { return }
        notice.gone?()
    }

    private func act(_ notice: Notice) {
        guard remove(notice) else { return }
        notice.action?()
    }

    private func remove(_ notice: Notice) -> Bool {
        guard let index = notices.firstIndex(where: { $0 === notice }) else { return false }
        notices.remove(at: index)
        let hadFocus = notice.line?.widget.holdsFocus ?? false
        hide(notice)
        arrange()
        if hadFocus { onLeave?() }
        return true
    }

    /// Shows the newest notices, and hides the others.
    private func arrange() {
        let seen = isCovered ? [] : notices.suffix(Self.maximum)
        for notice in notices where !seen.contains(where: { $0 === notice }) { hide(notice) }
        for (index, notice) in seen.enumerated() where notice.line == nil { show(notice, at: index) }
    }

    private func show(_ notice: Notice, at index: Int) {
        let line = NoticeLine(notice.text, verb: notice.verb)
        notice.line = line
        place.add(line.widget)
        gtk_box_reorder_child(place.cast(), line.widget, gint(index))
        Signal.connect(line.key, "clicked") { [weak self, weak notice] in
            if let notice { self?.act(notice) }
        }
        Signal.connect(line.cross, "clicked") { [weak self, weak notice] in
            if let notice { self?.dismiss(notice) }
        }
        line.reveal()
        wait(notice)
    }

    private func hide(_ notice: Notice) {
        notice.timer?.cancel()
        notice.timer = nil
        notice.line?.remove()
        notice.line = nil
    }

    private func wait(_ notice: Notice) {
        notice.timer = clock.schedule(after: Self.time) { [weak self, weak notice] in
            guard let self, let notice else { return }
            // Wait if any notice is in use, because removing this one would move those above it away from the pointer.
            if notices.contains(where: { $0.line?.isInUse == true }) { wait(notice) } else { dismiss(notice) }
        }
    }
}

@MainActor
private final class NoticeLine {
    let widget: Widget = gtk_revealer_new()
    let key: Widget
    let cross = Widget.iconButton(
        "window-close-symbolic", name: localized("Close notice"), tip: localized("Close (Esc)"))
    private let label: Widget

    init(_ text: String, verb: String) {
        key = .button(verb, style: "panel-key", "accept")
        label = .label(text)
        let line = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, style: "toast")
        label.wrapText(width: 30)
        line.add(label, grows: true)
        for key in [key, cross] {
            gtk_widget_set_valign(key, GTK_ALIGN_CENTER)
            // A click does not move the focus.
            gtk_widget_set_focus_on_click(key, 0)
            line.add(key)
        }
        gtk_container_add(widget.cast(), line)
        gtk_widget_show_all(line)
        key.isVisible = !verb.isEmpty
        // If animations are disabled on the desktop, GTK reveals the notice at once.
        gtk_revealer_set_transition_type(widget.cast(), GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
        gtk_revealer_set_transition_duration(widget.cast(), 150)
        atk_object_set_role(gtk_widget_get_accessible(widget), ATK_ROLE_NOTIFICATION)
        // Assistive tools announce the notice when it becomes visible.
        widget.setAccessible(name: text)
    }

    /// Reveals the notice, which must be in its container already.
    func reveal() {
        gtk_widget_show(widget)
        gtk_revealer_set_reveal_child(widget.cast(), 1)
    }

    /// Removes the notice, and clears its text for assistive tools that still hold a reference to it.
    func remove() {
        label.text = ""
        widget.setAccessible(name: "")
        gtk_widget_destroy(widget)
    }

    /// Whether the pointer or the focus is on the notice.
    var isInUse: Bool {
        widget.holdsFocus
            || [key, cross].contains {
                gtk_widget_get_state_flags($0).rawValue & GTK_STATE_FLAG_PRELIGHT.rawValue != 0
            }
    }
}
