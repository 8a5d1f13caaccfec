// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// Actions on a call of the list. A click or Return puts its number on the display; Dial, Return or a double click then
// calls it.
extension CallsPage {
    /// Recalls the number of a call; with the keyboard, calls it if the display still shows it.
    func activate(_ id: Int64, isByKey: Bool) {
        if isByKey, let recalled, recalled.id == id, recalled.shown == phone.displayText { return call(id) }
        fillIn(id)
    }

    func call(_ id: Int64) {
        recalled = nil
        calls.call(id).flatMap { actions.call(to: $0.remote) }?()
    }

    /// Puts the number of a call on the display without dialling: a row is easily clicked by mistake.
    func fillIn(_ id: Int64) {
        guard let callee = calls.call(id).flatMap({ actions.callee(of: $0.remote) }) else { return }
        navigator?.enter(callee)
        recalled = (id, phone.displayText)
    }

    /// Handles a key press on the row of a call; false if the key has no meaning there.
    func keyPressed(_ id: Int64, _ key: GdkEventKey) -> Bool {
        let isControl =
            key.state & gtk_accelerator_get_default_mod_mask().rawValue == GDK_CONTROL_MASK.rawValue
        switch Int32(bitPattern: key.keyval) {
        case GDK_KEY_Delete, GDK_KEY_KP_Delete: delete(id)
        case _ where isControl && Keyboard.latinLetter(of: key) == "c": copy(id)
        default: return false
        }
        return true
    }

    func showText(of id: Int64, at row: CallRow) {
        KeptTextPopover.show(textOf: id, in: history, name: row.cell?.name ?? "", at: row.box)
    }

    /// Plays a recording, wherever its call stands in the list.
    func play(_ id: Recording.ID) { calls.recordings?.toggle(id) }

    private func copy(_ id: Int64) {
        guard let call = calls.call(id) else { return }
        let remote = call.remote
        let address = CallAddress(remote.address)?.copied ?? remote.address
        let text = remote.number.isEmpty ? address : phone.text(of: remote.number)
        if !text.isEmpty { Clipboard.write(text) }
    }

    private func delete(_ id: Int64) {
        history.delete(id) { [weak self] in self?.sayDeleted($0) }
    }

    func openMenu(of id: Int64, _ row: CallRow, _ event: UnsafeMutablePointer<GdkEvent>?) {
        guard let call = calls.call(id) else { return }
        let remote = call.remote
        let hasNumber = !remote.number.isEmpty
        var items: [ContextMenu.Item?] = [
            .init(localizedIn("verb", "Call"), isEnabled: actions.canCall(remote)) { [weak self] in
                self?.actions.call(to: remote)?()
            },
            .init(localized("Edit Before Calling"), isEnabled: hasNumber) { [weak self] in self?.fillIn(id) },
        ]
        if let message = actions.message(to: remote) {
            items.append(.init(localizedIn("verb", "Message"), message))
        }
        let recorded = calls.recordings?.items(of: id) ?? []
        if !recorded.isEmpty { items += [nil] + recorded }
        if row.cell?.hasText == true {
            items += [nil, .init(localized("Show Text")) { [weak self] in self?.showText(of: id, at: row) }]
        }
        items += [
            nil,
            .init(localized("Copy Number"), isEnabled: hasNumber || !remote.address.isEmpty) { [weak self] in
                self?.copy(id)
            },
        ]
        if let contact = actions.contact(of: remote) { items.append(.init(contact.label, contact.open)) }
        items.append(
            BlockActions(phone: phone, toast: toast).item(
                for: [BlockedCaller(remote)].compactMap { $0 }))
        items += [nil, .init(localized("Delete")) { [weak self] in self?.delete(id) }]
        ContextMenu(items: items).open(at: row.box, event: event)
    }

    func sayDeleted(_ deletion: Deletion) {
        toast.show(
            localizedPlural("Call deleted.", "{count} calls deleted.", deletion.count),
            verb: localized("Undo"),
            gone: { [history] in history.forget(deletion) },
            action: { [weak self, history] in history.restore(deletion) { self?.sayDeleted(deletion) } })
    }
}

// MARK: - Export

extension CallsPage {
    func export() {
        Task { [weak self, weak navigator] in
            let request = FileDialog.Request(
                saving: localized("Export Calls"), as: "calls.csv", verb: localized("_Export"))
            guard let file = await navigator?.askFile(request) else { return }
            await self?.write(to: file.uri)
        }
    }

    private func write(to uri: String) async {
        do {
            let table = try await history.csv { LocaleTime.offset(seconds: $0.milliseconds / 1000) }
            try await Files.write(table, to: uri)
            toast.show(localized("Calls exported."))
        } catch Files.Trouble.failed(let reason) {
            let line = PlainText.line(reason, maximum: 200)
            toast.show(localized("The file can’t be written: {reason}", ["reason": line]))
        } catch let error as StoreError {
            let line = PlainText.line(error.text(of: .calls), maximum: 200)
            toast.show(localized("The calls can’t be read: {reason}", ["reason": line]))
        } catch {
            toast.show(localized("The file can’t be written."))
        }
    }
}
