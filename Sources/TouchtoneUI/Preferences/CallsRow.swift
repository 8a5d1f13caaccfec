// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The row of a Jabber account with the calls that it can make, or the reason why it cannot; hidden without a line for calls.
@MainActor
final class CallsRow {
    private let row: UnsafeMutablePointer<HdyActionRow>
    private let account: ChatAccount
    private let lines: LineRegistry
    private var isDestroyed = false

    init(_ builder: Builder, account: ChatAccount, lines: LineRegistry) throws(GLibError) {
        row = try builder.object("calls-row")
        (self.account, self.lines) = (account, lines)
        Signal.connect(row, "destroy") { [weak self] in self?.isDestroyed = true }
        lines.observe(by: self) { [weak self] _ in self?.show() }
        account.observe(by: self) { [weak self] in self?.show() }
        show()
    }

    private var line: (any Line)? {
        let own = CallAddress.jabber(ChatAddress(account.details.address.lowercased()))
        return lines.lines.first { $0.calls == .people && CallAddress($0.address) == own }
    }

    private func show() {
        guard !isDestroyed else { return }
        let (line, row) = (line, row.cast() as Widget)
        row.isVisible = line != nil
        guard let line else { return }
        let description = LineStrings.description(of: line)
        hdy_action_row_set_subtitle(self.row, description)
        row.setAnnounced(name: localized("Calls"), description: description)
    }
}
