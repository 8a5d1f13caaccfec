// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The second line: a call that waits during another one, or the call that is on hold or joined; its key LIST shows all.
@MainActor
final class CallStrip {
    struct Shown: Hashable {
        enum Kind: Hashable {
            case waiting
            /// The call besides the current one.
            case other(Call.ID, isJoined: Bool, canJoin: Bool, isAnswered: Bool)
            /// The call is on hold while another number is entered.
            case aside(Call.ID)
        }

        let who, state: String
        let kind: Kind
        let canTransfer: Bool
        /// The number of calls, if the list says more than the display and this line do.
        let count: Int?
        /// Why the calls of these lines can never be transferred; nil if they can.
        let obstacle: String?

        @MainActor
        init?(_ calls: CallManager, _ strings: CallStrings) {
            guard let current = calls.current else { return nil }
            canTransfer = calls.canTransfer || calls.canTransferBlind
            let all = calls.listed.count
            count = all > 2 || calls.canAddCall ? all : nil
            obstacle = CallStrings.transferObstacle(of: calls)
            if let incoming = calls.incoming, current.state.isLive {
                let calling =
                    incoming.text.standing == .offered
                    ? localizedIn("state of a call", "is calling, with text")
                    : localizedIn("state of a call", "is calling")
                (who, state, kind) = (strings.who(incoming.remote), calling, .waiting)
            } else if let other = calls.other {
                (who, state) = (strings.who(other.remote), CallStrings.state(of: other, calls))
                kind = .other(
                    other.id, isJoined: other.state == .joined, canJoin: calls.canJoin,
                    isAnswered: current.state.isConversation)
            } else if calls.isTakingNumber {
                (who, state) = (strings.who(current.remote), CallStrings.state(of: current, calls))
                kind = .aside(current.id)
            } else {
                return nil
            }
        }
    }

    let widget: Widget
    private let builder: Builder
    private let who, state, keys, list: Widget
    private let calls: CallList
    private let waitingKeys, otherKeys: [Widget]
    private var shown: Shown?
    /// The key that declines the call that waits.
    var decline: Widget { waitingKeys[0] }

    init(resources: Resources, phone: Phone, strings: CallStrings) throws(GLibError) {
        let calls = phone.calls
        builder = try Builder(file: resources.layout("call-strip"))
        widget = try builder.object("strip")
        who = try builder.object("who")
        state = try builder.object("state")
        keys = try builder.object("strip-keys")
        list = try builder.object("list")
        self.calls = CallList(at: list, of: calls, strings)
        var waiting: [Widget] = []
        for name in ["strip-decline", "strip-answer"] { waiting.append(try builder.object(name)) }
        var other: [Widget] = []
        for name in ["swap", "join", "transfer", "end"] { other.append(try builder.object(name)) }
        (waitingKeys, otherKeys) = (waiting, other)
        // Five keys with large texts would be wider than the phone.
        for keys in [waiting, other, [list]] { FittedLabel.fit(wordsOf: keys, characters: 1) }
        for label in [who, state] { FittedLabel(label.cast(), smallest: 0.8) }
        for part in [keys, who, state, try builder.object("strip-row")] {
            gtk_widget_set_direction(part, GTK_TEXT_DIR_LTR)
        }
        Signal.connect(waiting[0], "clicked") { [calls] in calls.decline() }
        Signal.connect(waiting[1], "clicked") { [calls] in calls.answer() }
        Signal.connect(other[0], "clicked") { [calls] in calls.flash() }
        Signal.connect(other[1], "clicked") { [calls] in calls.join() }
        Signal.connect(other[2], "clicked") { [phone] in phone.transfer() }
        Signal.connect(list, "clicked") { [weak self] in self?.calls.open() }
        Signal.connect(other[3], "clicked") { [weak self, calls] in
            switch self?.shown?.kind {
            case .other(let id, _, _, _), .aside(let id): calls.hangUp(id)
            case .waiting, nil: break
            }
        }
    }

    /// Opens the list of all calls, if there is more than the strip shows.
    func openList() {
        if shown?.count != nil { calls.open() }
    }

    /// Updates the list of all calls, if it is open.
    func showList() { calls.show() }

    func closeList() { calls.close() }

    /// Shows the content of the strip; nil leaves the strip as it is, for the caller to hide.
    func show(_ shown: Shown?) {
        guard shown != self.shown else { return }
        self.shown = shown
        guard let shown else { return closeList() }
        who.text = shown.who
        state.text = shown.state
        who.setAccessible(description: localized("Second line"))
        for key in waitingKeys { key.isVisible = shown.kind == .waiting }
        list.isVisible = shown.count != nil
        // Nil hides a key.
        let uses: [Bool?]
        var isAnswered = false
        switch shown.kind {
        case .waiting: uses = [nil, nil, nil, nil]
        case .other(_, let isJoined, let canJoin, let isAnsweredNow):
            uses = [!isJoined, canJoin, shown.canTransfer, true]
            isAnswered = isAnsweredNow
        case .aside: uses = [nil, nil, shown.canTransfer, true]
        }
        for (key, isUseful) in zip(otherKeys, uses) {
            key.isVisible = isUseful != nil
            gtk_widget_set_sensitive(key, isUseful == true ? 1 : 0)
        }
        let end = localized("End the call with {name}", ["name": shown.who])
        otherKeys[3].setAccessible(name: end)
        gtk_widget_set_tooltip_text(otherKeys[3], DirectionControls.contained(end))
        otherKeys[2].setTip(
            shown.obstacle
                ?? (isAnswered
                    ? localized("Connect the two callers and leave the call (Ctrl+T)")
                    : localized("Transfer the call to this number, without talking to it first (Ctrl+T)")))
    }
}
