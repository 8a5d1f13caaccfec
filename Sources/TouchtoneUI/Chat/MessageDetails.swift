// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The details of a message besides its text, as names and values to show.
@MainActor
struct MessageDetails {
    struct Entry: Hashable {
        let name, value: String
    }

    let entries: [Entry]

    /// - Parameters:
    ///   - account: The name of the account; empty if there is only one.
    ///   - devices: The devices of the conversation, as far as they are known.
    init(_ message: ChatMessage, buddyName: String, account: String, devices: [DeviceKey] = []) {
        let stamps = LocaleStamps()
        var entries = [
            Entry(name: localized("From"), value: Self.sender(of: message, buddyName)),
            Entry(name: localized("Time"), value: stamps.dateAndTime(message.time)),
        ]
        if !account.isEmpty { entries.append(Entry(name: localized("Account"), value: account)) }
        if message.sender == .me {
            entries.append(Entry(name: localized("State"), value: Self.state(of: message)))
        }
        entries.append(
            Entry(name: localized("End-to-End Encryption"), value: Self.encryption(of: message)))
        if let device = Self.device(of: message, among: devices) {
            entries.append(Entry(name: localizedIn("of a message", "Device"), value: device))
        }
        if message.isCorrected {
            entries.append(
                Entry(
                    name: localizedIn("message", "Edited"),
                    value: localized("This is the latest version. Earlier ones are not kept.")))
        }
        if let retraction = message.retraction {
            entries.append(
                Entry(
                    name: localizedIn("message", "Deleted"), value: stamps.dateAndTime(retraction.time)))
        }
        self.entries = entries
    }

    private static func sender(of message: ChatMessage, _ buddyName: String) -> String {
        let name = message.sender.name(buddyName: buddyName)
        guard let address = address(of: message), address.text != name else { return name }
        return localized(
            "{name} ({address})", ["name": name, "address": PlainText.line(address.text, maximum: 200)])
    }

    /// Returns the address of the sender of a message; nil if it has none, or a room hides it.
    private static func address(of message: ChatMessage) -> ChatAddress? {
        switch message.sender {
        case .me: message.conversation.account
        case .buddy: message.buddy == .operatorAddress ? nil : message.buddy
        case .occupant(let occupant): occupant.address
        }
    }

    private static func state(of message: ChatMessage) -> String {
        let state = message.shownState
        guard case .failed(let reason) = state, !reason.isEmpty else { return state.word }
        return localized(
            "{state}: {reason}", ["state": state.word, "reason": PlainText.line(reason, maximum: 300)])
    }

    private static func encryption(of message: ChatMessage) -> String {
        switch message.content.protection {
        case .none: return foreignEncryption(of: message.content)
        case .exposed:
            return localized("None, although the conversation was encrypted when this message came.")
        case .unreadable(let reason): return reason.sentence
        case .encrypted(let trust):
            let readable = localized(
                "The addresses, the time, reactions and deletions stay readable for the servers.")
            return [trust.sentence(isMine: message.sender == .me), readable].joined(separator: "\n")
        }
    }

    /// Returns the name of the device that encrypted a message, with the beginning of its fingerprint; nil if it is not
    /// known which one did.
    private static func device(of message: ChatMessage, among devices: [DeviceKey]) -> String? {
        guard message.content.protection.isEncrypted, let number = message.content.device else { return nil }
        guard number != MessageContent.thisDevice else { return localized("This device") }
        let owner = address(of: message)
        // Devices of two accounts may have chosen the same number.
        let found = devices.filter { device in
            device.address.device == number && owner.map { $0 == device.address.account } ?? true
        }
        guard let device = found.first, found.count == 1 else { return DeviceKey.name(of: number) }
        guard device.key != nil else { return device.title }
        return localized(
            "{device}, fingerprint {digits}…",
            ["device": device.title, "digits": String(device.fingerprint.prefix(fingerprintStart))])
    }

    /// The number of characters of a fingerprint that are shown: two of its groups.
    private static let fingerprintStart = 17

    private static func foreignEncryption(of content: MessageContent) -> String {
        guard let name = content.encryption else { return localizedIn("encryption", "None") }
        return name.isEmpty ? localized("Encrypted") : name
    }
}

/// A popover with the details of a message, whose values can be selected and copied.
@MainActor
final class DetailsPopover {
    private let popover: TransientPopover
    private var first: Widget?
    private var values: [String: Widget] = [:]

    private init(_ details: MessageDetails, at widget: Widget) {
        popover = TransientPopover(at: widget)
        let column = popover.makeColumn(localized("Message Details"), spacing: 4)
        for entry in details.entries {
            column.add(Widget.wrappedLabel(entry.name, style: "ask-name"))
            let value = Widget.wrappedLabel(entry.value)
            gtk_label_set_selectable(value.cast(), 1)
            value.setAccessible(description: entry.name)
            column.add(value)
            if first == nil { first = value }
            values[entry.name] = value
        }
        gtk_widget_show_all(column)
    }

    /// Shows the details.
    ///
    /// - Parameter more: Returns the details with what is not known at once; nil if nothing is to come.
    static func show(
        _ details: MessageDetails, at widget: Widget, place: GdkRectangle?,
        more: (@MainActor () async -> MessageDetails?)? = nil
    ) {
        let shown = DetailsPopover(details, at: widget)
        shown.popover.open(with: shown, place: place)
        if let first = shown.first { gtk_widget_grab_focus(first) }
        guard let more else { return }
        Task { [weak shown] in
            guard let details = await more(), let shown, shown.popover.isOpen else { return }
            shown.update(details)
        }
    }

    private func update(_ details: MessageDetails) {
        for entry in details.entries {
            // A text that is set again loses its selection.
            if let value = values[entry.name], value.text != entry.value { value.text = entry.value }
        }
    }
}
