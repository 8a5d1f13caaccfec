// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The second line: a call that waits during another one, or the call that is on hold or joined.
@MainActor
final class CallStrip {
    /// The content of the strip.
    struct Shown: Hashable {
        enum Kind: Hashable {
            /// An incoming call waits.
            case waiting
            /// The other of two calls.
            case other(Call.ID, isJoined: Bool, canJoin: Bool, canTransfer: Bool)
            /// The call is on hold while another number is entered.
            case aside
        }

        let who: String
        let state: String
        let kind: Kind

        /// Creates the content for a phone's calls; nil if there is nothing to show.
        @MainActor
        init?(_ calls: CallManager, _ strings: CallStrings) {
            guard let current = calls.current else { return nil }
            if let incoming = calls.incoming, current.state.isLive {
                (who, state, kind) = (
                    strings.who(incoming.remote), localizedIn("state of a call", "is calling"), .waiting
                )
            } else if let other = calls.other {
                (who, state) = (strings.who(other.remote), CallStrings.state(of: other, calls))
                kind = .other(
                    other.id, isJoined: other.state == .joined, canJoin: calls.canJoin,
                    canTransfer: calls.canTransfer)
            } else if calls.isTakingNumber {
                (who, state, kind) = (
                    strings.who(current.remote), localizedIn("state of a call", "held"), .aside
                )
            } else {
                return nil
            }
        }
    }

    /// The strip, to be placed in the window.
    let widget: Widget
    private let builder: Builder
    private let who: Widget
    private let state: Widget
    private let keys: Widget
    private let waitingKeys: [Widget]
    private let otherKeys: [Widget]
    private var shown: Shown?

    init(resources: Resources, calls: CallManager) throws(GLibError) {
        builder = try Builder(file: resources.layout("call-strip"))
        widget = try builder.object("strip")
        who = try builder.object("who")
        state = try builder.object("state")
        keys = try builder.object("strip-keys")
        var waiting: [Widget] = []
        for name in ["strip-decline", "strip-answer"] { waiting.append(try builder.object(name)) }
        var other: [Widget] = []
        for name in ["swap", "join", "transfer", "end"] { other.append(try builder.object(name)) }
        (waitingKeys, otherKeys) = (waiting, other)
        for keys in [waiting, other] { FittedLabel.fit(wordsOf: keys) }
        for label in [who, state] { FittedLabel(label.cast(), smallest: 0.8) }
        for part in [keys, who, state, try builder.object("strip-row")] {
            gtk_widget_set_direction(part, GTK_TEXT_DIR_LTR)
        }
        Signal.connect(waiting[0], "clicked") { [calls] in calls.decline() }
        Signal.connect(waiting[1], "clicked") { [calls] in calls.answer() }
        Signal.connect(other[0], "clicked") { [calls] in calls.flash() }
        Signal.connect(other[1], "clicked") { [calls] in calls.join() }
        Signal.connect(other[2], "clicked") { [calls] in calls.transfer() }
        Signal.connect(other[3], "clicked") { [weak self, calls] in
            if case .other(let id, _, _, _) = self?.shown?.kind { calls.hangUp(id) }
        }
    }

    /// Shows the content of the strip; nil leaves the strip as it is, for the caller to hide.
    func show(_ shown: Shown?) {
        guard shown != self.shown else { return }
        self.shown = shown
        guard let shown else { return }
        who.text = shown.who
        state.text = shown.state
        who.setAccessible(description: localized("Second line"))
        for key in waitingKeys { key.isVisible = shown.kind == .waiting }
        var can: (join: Bool, transfer: Bool, swap: Bool)?
        if case .other(_, let isJoined, let canJoin, let canTransfer) = shown.kind {
            can = (canJoin, canTransfer, !isJoined)
        }
        for key in otherKeys { key.isVisible = can != nil }
        keys.isVisible = shown.kind != .aside
        guard let can else { return }
        for (key, isUseful) in zip(otherKeys, [can.swap, can.join, can.transfer]) {
            gtk_widget_set_sensitive(key, isUseful ? 1 : 0)
        }
    }
}
