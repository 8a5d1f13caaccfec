// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The menu item that blocks callers, or lets them ring again, with a notice that can undo it.
@MainActor
struct BlockActions {
    let phone: Phone
    let toast: Toast

    private var list: BlockList { phone.calls.blockList }

    /// Returns the item for the callers that one person can be; insensitive if none can be blocked.
    ///
    /// - Parameter name: The name of the person; nil if there is one caller without a name.
    func item(for callers: [BlockedCaller], named name: String? = nil) -> ContextMenu.Item {
        let callers = callers.filter { !phone.isEmergency($0) }
        let name = name ?? callers.first.map(phone.text) ?? ""
        let isBlocked = !callers.isEmpty && callers.allSatisfy(list.blocks)
        let label = isBlocked ? localized("Unblock Calls") : localized("Block Calls")
        return .init(label, isEnabled: !callers.isEmpty && list.isEditable) {
            isBlocked ? unblock(callers, name) : block(callers, name)
        }
    }

    /// Whether the caller of the incoming call can be blocked: one who hides cannot, nor emergency services.
    var canBlockIncoming: Bool { list.isEditable && incoming != nil }

    /// Declines the incoming call and blocks its caller; returns false if there is none who can be blocked.
    func blockIncoming() -> Bool {
        guard list.isEditable, let incoming else { return false }
        // Without room, the notice is all that follows.
        let hasRoom = list.hasRoom
        block([incoming], phone.text(of: incoming))
        if hasRoom { phone.calls.decline() }
        return true
    }

    private var incoming: BlockedCaller? {
        phone.calls.incoming.flatMap { BlockedCaller($0.remote) }.flatMap { phone.isEmergency($0) ? nil : $0 }
    }

    private func block(_ callers: [BlockedCaller], _ name: String) {
        guard list.hasRoom else { return toast.show(phone.noRoomToBlock) }
        let new = callers.filter { !list.blocks($0) }
        list.block(new)
        let text = localized(
            "{caller} can’t call you any more.", ["caller": PlainText.line(name, maximum: 60)])
        toast.show(text, verb: localized("Undo"), action: { list.unblock(new) })
    }

    private func unblock(_ callers: [BlockedCaller], _ name: String) {
        list.unblock(callers)
        let text = localized("{caller} can call you again.", ["caller": PlainText.line(name, maximum: 60)])
        toast.show(text, verb: localized("Undo"), action: { list.block(callers) })
    }
}

extension Phone {
    /// The notice that the block list takes no more callers.
    var noRoomToBlock: String {
        localizedPlural(
            "At most {count} caller can be blocked.", "At most {count} callers can be blocked.",
            BlockList.capacity)
    }

    /// Returns how a blocked caller is shown.
    func text(of caller: BlockedCaller) -> String {
        switch caller {
        case .number(let number): text(of: number)
        case .address(let address): PlainText.line(address, maximum: 100)
        }
    }

    fileprivate func isEmergency(_ caller: BlockedCaller) -> Bool {
        if case .number(let number) = caller { calls.emergency.contains(number) } else { false }
    }
}

extension ContactMethod {
    /// The caller that the method stands for; nil if it is neither a number nor an address.
    var caller: BlockedCaller? {
        number.map(BlockedCaller.number) ?? callAddress.flatMap { BlockedCaller($0.text) }
    }
}
