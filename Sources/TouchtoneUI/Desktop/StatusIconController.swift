// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The phone's icon in the status area of the desktop, which shows missed calls and unread messages.
@MainActor
final class StatusIconController {
    static let key = "status-icon"

    private enum Choice: String { case show, quiet, quit }

    private let buddies: AllBuddies
    private let history: CallHistory
    private let recordings: Recordings?
    private let lock: Lock
    private let quiet: DoNotDisturb
    private weak var owner: (any DesktopOwner)?
    private let makeIcon: @MainActor (StatusIcon.Appearance) -> StatusIcon
    private var icon: StatusIcon?

    init(
        _ dependencies: PhoneDependencies, quiet: DoNotDisturb, iconFolder: String, owner: (any DesktopOwner)?
    ) {
        (buddies, history) = (dependencies.messages.messenger.buddies, dependencies.directory.history)
        recordings = dependencies.directory.machine?.recordings
        (lock, self.quiet, self.owner) = (dependencies.lock, quiet, owner)
        makeIcon = {
            StatusIcon(
                name: "Touchtone", icon: Resources.applicationID, iconFolder: iconFolder, appearance: $0)
        }
        buddies.observe(by: self) { [weak self] _ in self?.show() }
        history.observe(by: self) { [weak self] in if $0 == .missed { self?.show() } }
        recordings?.observe(by: self) { [weak self] in if $0 == .all { self?.show() } }
        lock.observe(by: self) { [weak self] in self?.show() }
        quiet.follow(by: self) { [weak self] in self?.show() }
        dependencies.settings.follow(Self.key) { [weak self, weak settings = dependencies.settings] in
            if let settings { self?.setShown(settings[flag: Self.key]) }
        }
    }

    private func setShown(_ isShown: Bool) {
        guard isShown != (icon != nil) else { return }
        icon = isShown ? makeIcon(appearance) : nil
        icon?.onActivate = { [weak self] in self?.owner?.showWindow(token: $0) }
        icon?.onChoice = { [weak self] in self?.choose($0) }
    }

    private func show() { icon?.show(appearance) }

    private func choose(_ id: String) {
        switch Choice(rawValue: id) {
        case .show: owner?.showWindow(token: nil)
        case .quiet: if !lock.isLocked { quiet.set(!quiet.isOnHere) }
        case .quit: owner?.quit()
        case nil: break
        }
    }

    // MARK: - Appearance

    private var appearance: StatusIcon.Appearance {
        let (missed, unread, unheard) = (history.missed, buddies.unread, recordings?.unheard ?? 0)
        let asked = buddies.asked
        var parts: [String] = []
        // While the phone is locked, nobody may see the numbers.
        if lock.isLocked {
            parts.append(localized("Locked"))
        } else {
            if missed > 0 {
                parts.append(localizedPlural("{count} missed call", "{count} missed calls", missed))
            }
            if unheard > 0 {
                parts.append(
                    localizedPlural("{count} message not heard", "{count} messages not heard", unheard))
            }
            if unread > 0 {
                parts.append(localizedPlural("{count} unread message", "{count} unread messages", unread))
            }
            if asked > 0 { parts.append(localizedPlural("{count} request", "{count} requests", asked)) }
        }
        if quiet.isOn { parts.append(localized("Do Not Disturb")) }
        return StatusIcon.Appearance(
            text: localizedList(parts),
            attentionIcon: quiet.isOn ? "" : Self.icon(missed: missed, unread: unread + unheard + asked),
            menu: [
                .init(id: Choice.show.rawValue, label: localized("Show Touchtone")),
                .init(
                    id: Choice.quiet.rawValue, label: localized("Do Not Disturb"), isOn: quiet.isOn,
                    isEnabled: !lock.isLocked),
                .init(id: Choice.quit.rawValue, label: localized("Quit")),
            ])
    }

    /// Returns the name of the icon for what waits for the user; empty if nothing does.
    private static func icon(missed: Int, unread: Int) -> String {
        if missed > 0 { return "\(Resources.applicationID)-missed-call-symbolic" }
        return unread > 0 ? "\(Resources.applicationID)-message-symbolic" : ""
    }
}
