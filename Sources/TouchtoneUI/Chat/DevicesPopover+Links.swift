// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// Verification by links and codes: what differs is said, and nothing is verified before the user confirms it.
extension DevicesPopover {
    /// Compares the keys in the link, or in the code of the picture, on the clipboard with those that are known.
    func readClipboard() {
        Clipboard.readAttachment { [weak self] attachment in
            guard let self, popover.isOpen else { return }
            switch attachment {
            case .files(let uris) where uris.first.map(XMPPURI.hasScheme) != true: take(attachment)
            case .picture, .tooLarge: take(attachment)
            case .none, .files:
                Clipboard.read { [weak self] text in
                    guard let self, popover.isOpen else { return }
                    take(text: text ?? "")
                }
            }
        }
    }

    /// Compares the keys of a link that was pasted or dropped.
    func take(text: String) {
        guard let link = keyLink(text) else {
            return tell(
                localized(
                    "There is no link with keys, and no picture of one. Copy the link that the other app shows for its own keys, which begins with xmpp:, or a picture of its code."
                ))
        }
        compare(link.keys, of: link.account)
    }

    /// Parses a link with keys; nil for any other text.
    func keyLink(_ text: String) -> (account: ChatAddress, keys: [LinkedKey])? {
        guard let link = try? XMPPURI(text.trimmed), !link.keys.isEmpty,
            let account = chat.address(link.address)
        else { return nil }
        return (account, link.keys)
    }

    /// Compares the keys of a link, and asks whether to verify those that are the same.
    func compare(_ keys: [LinkedKey], of account: ChatAddress) {
        let name = name(of: account)
        let known = devices.filter { $0.address.account == account }
        guard !known.isEmpty else {
            return tell(
                localized(
                    "The link is of {address}, who has no device in this conversation.",
                    ["address": PlainText.line(account.text, maximum: 200)]))
        }
        let comparison = KeyComparison(keys, with: known)
        guard comparison.different.isEmpty else { return alarm(comparison.different, name: name) }
        let new = comparison.equal.filter { $0.trust != .verified }
        guard !new.isEmpty else {
            return tell(
                comparison.equal.isEmpty
                    ? localized("The link names no device of {name} that is known here.", ["name": name])
                    : localized("The keys are the same, and you had compared them before."))
        }
        var texts = [
            localized(
                "The keys in the link are the same as those that are known here. Verify only if you have the link or its code from {name} directly, and not by these messages.",
                ["name": name]),
            localized("Devices: {list}", ["list": localizedList(new.prefix(10).map(\.name))]),
        ]
        if comparison.unknown > 0 {
            texts.append(
                localizedPlural(
                    "{count} other device in the link is not known here.",
                    "{count} other devices in the link are not known here.", comparison.unknown))
        }
        ask(
            .init(
                title: localizedPlural(
                    "Verify {count} Device?", "Verify {count} Devices?", new.count),
                text: texts.joined(separator: "\n"), verb: localized("Verify"),
                action: verification(of: new)), from: nil)
    }

    private func alarm(_ devices: [DeviceKey], name: String) {
        ask(
            .init(
                title: localized("The Keys Differ"),
                text: localized(
                    "The link names another key than the one that is known here for: {list}. Somebody may be reading along, or the link is not of {name}. Nothing was verified. Ask {name} in person or in a call.",
                    ["list": localizedList(devices.prefix(10).map(\.name)), "name": name]),
                isAlarm: true), from: nil)
    }

    func tell(_ text: String) {
        ask(.init(title: localized("Verify by Link or Code"), text: text), from: nil)
    }

    /// Shows the link and the code with which others verify the devices of the user.
    func showCode() {
        guard let account = chat.account else { return }
        let link = XMPPURI(account, verifying: devices).text
        let view = OwnCodeView(link)
        ask(
            .init(
                title: localized("Your Code"),
                text: localized(
                    "Somebody who scans this code, or opens the link, can verify your devices. It contains no secret."
                ), content: view.widget), from: nil)
    }
}
