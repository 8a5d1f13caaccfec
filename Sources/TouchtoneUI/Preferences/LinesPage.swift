// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The Lines page: the line that Dial uses, the SIP accounts, and the number format of each line.
@MainActor
final class LinesPage: PreferencesPage {
    let widget: Widget
    private let dependencies: PreferencesDependencies
    private let builder: Builder
    private let line: ChoiceRow
    /// The last group, with the row that resets the page.
    private let last: Widget
    private let reset: ResetRow
    private let accounts: SIPAccountsGroup?
    private let setup: AccountSetupGroup?
    private let mobile: MobileGroup?
    private let answering: AnsweringGroup?
    private let blocked: BlockListGroup?
    private var groups: [LineGroup] = []

    init(_ dependencies: PreferencesDependencies) throws(GLibError) {
        self.dependencies = dependencies
        builder = try dependencies.layout(.lines)
        widget = try builder.object("page")
        last = try builder.object("last")
        line = ChoiceRow(
            try builder.object("dial-line"), of: "dial-line", in: dependencies.settings, [],
            nameOfUnknown: { localized("{name} (unavailable)", ["name": $0]) })
        reset = ResetRow(try builder.object("reset"))
        reset.add(
            [
                "dial-line", "sip-strangers", "unknown-callers", "hidden-callers", "sip-direct-calls",
                "calls-by-relay", "allow-unencrypted-calls",
            ], of: dependencies.settings)
        if let telephone = dependencies.telephone {
            let group = try SIPAccountsGroup(dependencies, accounts: telephone)
            gtk_container_add(widget.cast(), group.widget)
            accounts = group
        } else {
            accounts = nil
        }
        if let source = dependencies.setup {
            let group = try AccountSetupGroup(dependencies, source: source)
            gtk_container_add(widget.cast(), group.widget)
            setup = group
        } else {
            setup = nil
        }
        if let mobiles = dependencies.mobiles {
            let group = try MobileGroup(dependencies, mobiles: mobiles)
            gtk_container_add(widget.cast(), group.widget)
            mobile = group
        } else {
            mobile = nil
        }
        if let machine = dependencies.machine, let voice = dependencies.voice,
            dependencies.settings.has("answering-machine")
        {
            let group = try AnsweringGroup(dependencies, machine: machine, voice: voice)
            gtk_container_add(widget.cast(), group.widget)
            reset.add(AnsweringGroup.keys, of: dependencies.settings)
            answering = group
        } else {
            answering = nil
        }
        if let phone = dependencies.phone {
            let group = try BlockListGroup(dependencies, phone: phone)
            gtk_container_add(widget.cast(), group.widget)
            blocked = group
        } else {
            blocked = nil
        }
        showLines()
        dependencies.lines.observe(by: self) { [weak self] in
            if $0 == .lines || self?.isOutdated == true { self?.showLines() }
        }
    }

    func startAccount() { accounts?.start() }

    /// Opens the page that sets accounts up, with an address that is only shown.
    func startSetup(at address: String) { setup?.open(address: address) }

    /// The lines that DIAL can use: one that calls people only has no numbers to be written.
    private var linesForNumbers: [any Line] { dependencies.lines.lines.filter(\.callsNumbers) }

    /// Whether a line found its gateway, or lost it.
    private var isOutdated: Bool {
        linesForNumbers.map { ObjectIdentifier($0) } != groups.map { ObjectIdentifier($0.line) }
    }

    private func showLines() {
        let lines = linesForNumbers
        line.offer(
            [.init("", localizedIn("line", "Automatic"))]
                + lines.map { .init($0.id, LineStrings.name(of: $0)) })
        for group in groups where !lines.contains(where: { $0 === group.line }) {
            reset.remove(group.settings)
            gtk_widget_destroy(group.widget)
        }
        groups = lines.compactMap { line in groups.first { $0.line === line } ?? add(line) }
        guard let place: UnsafeMutablePointer<GtkBox> = gtk_widget_get_parent(last)?.cast() else { return }
        for group in groups.map(\.widget) + [last] { gtk_box_reorder_child(place, group, -1) }
    }

    /// Adds the group of a line, or returns nil if an older schema lacks the line settings.
    private func add(_ line: any Line) -> LineGroup? {
        guard let group = try? LineGroup(line, dependencies) else { return nil }
        gtk_container_add(widget.cast(), group.widget)
        RowNames.set(in: group.widget)
        FieldRows.set(in: group.widget)
        reset.add(LineSettings.keys, of: group.settings)
        return group
    }
}
