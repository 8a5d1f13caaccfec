// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The callers who do not ring, on the Lines page: the block list, and what callers without a number and unknown callers meet.
@MainActor
final class BlockListGroup {
    /// The group, a `HdyPreferencesGroup`.
    let widget: Widget
    private let phone: Phone
    private let builder: Builder
    private let caller: UnsafeMutablePointer<GtkEntry>
    private let block, list, file: Widget
    private let hidden, unknown: ChoiceRow
    private let askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    /// The rows of the callers, if they are open.
    private var rows: [Widget] = []
    private var isOpen = false
    private var isDestroyed = false
    /// Ends the import that is under way.
    private var reading: Cancellable?

    /// The thread on which files are read; only one is at a time.
    private static let work = BackgroundThread("block-list")

    private var blockList: BlockList { phone.calls.blockList }

    /// The number of callers that are listed.
    private static let maximumShown = 200

    init(_ dependencies: PreferencesDependencies, phone: Phone) throws(GLibError) {
        self.phone = phone
        builder = try Builder(file: dependencies.resources.layout("preferences-blocked"))
        widget = try builder.object("blocked")
        caller = try builder.object("caller")
        (block, list, file) = (
            try builder.object("block"), try builder.object("list-row"), try builder.object("file-row")
        )
        hidden = ChoiceRow(
            try builder.object("hidden-callers"), of: "hidden-callers", in: dependencies.settings,
            ChoiceRow.treatments)
        unknown = ChoiceRow(
            try builder.object("unknown-callers"), of: "unknown-callers", in: dependencies.settings,
            as: .unknownCallers(older: "sip-strangers"), ChoiceRow.treatments)
        let widget = widget
        askFile = dependencies.askFile ?? { await FileDialog.ask($0, over: widget) }
        Signal.connect(widget, "destroy") { [weak self] in
            self?.isDestroyed = true
            self?.reading?.cancel()
        }
        Signal.connect(caller, "changed") { [weak self] in self?.showInput() }
        Signal.connect(caller, "activate") { [weak self] in self?.add() }
        Signal.connect(block, "clicked") { [weak self] in self?.add() }
        Signal.connect(list, "activated") { [weak self] in
            self?.isOpen.toggle()
            self?.show()
        }
        try builder.connect("import", "clicked") { [weak self] in Task { await self?.importList() } }
        try builder.connect("export", "clicked") { [weak self] in Task { await self?.exportList() } }
        blockList.observe(by: self) { [weak self] in self?.show() }
        show()
    }

    // MARK: - Display

    private func show() {
        guard !isDestroyed else { return }
        for row in rows { gtk_widget_destroy(row) }
        let callers = blockList.callers
        isOpen = isOpen && !callers.isEmpty
        rows = isOpen ? callers.suffix(Self.maximumShown).reversed().map(row) : []
        if callers.count > rows.count, isOpen { rows.append(rest(callers.count - rows.count)) }
        if let box: UnsafeMutablePointer<GtkListBox> = gtk_widget_get_parent(list)?.cast() {
            let place = gtk_list_box_row_get_index(list.cast()) + 1
            for (index, row) in rows.enumerated() { gtk_list_box_insert(box, row, place + gint(index)) }
        }
        let count =
            callers.isEmpty
            ? localized("None") : localizedPlural("{count} caller", "{count} callers", callers.count)
        hdy_action_row_set_subtitle(list.cast(), count)
        list.setAnnounced(name: localized("Blocked Callers"), description: count)
        gtk_widget_set_sensitive(list, callers.isEmpty ? 0 : 1)
        builder.setArrow("arrow", isDown: isOpen)
        builder.setSensitive("caller", blockList.isEditable)
        builder.setSensitive("import", blockList.isEditable && reading == nil)
        builder.setSensitive("export", !callers.isEmpty)
        showInput()
    }

    private func row(of caller: BlockedCaller) -> Widget {
        let row = Self.row(phone.text(of: caller))
        let name = localized("Unblock {caller}", ["caller": phone.text(of: caller)])
        let remove = Widget.iconButton("edit-delete-symbolic", name: name, tip: name)
        gtk_widget_set_valign(remove, GTK_ALIGN_CENTER)
        gtk_widget_set_sensitive(remove, blockList.isEditable ? 1 : 0)
        Signal.connect(remove, "clicked") { [weak self] in
            guard let self else { return }
            // The key goes with its row.
            gtk_widget_grab_focus(list)
            blockList.unblock([caller])
        }
        gtk_container_add(row.cast(), remove)
        gtk_widget_show_all(row)
        return row
    }

    private func rest(_ count: Int) -> Widget {
        let row = Self.row(
            localizedPlural(
                "{count} more caller is in the exported list.",
                "{count} more callers are in the exported list.",
                count))
        gtk_widget_show(row)
        return row
    }

    private static func row(_ title: String) -> Widget {
        let row: Widget = hdy_action_row_new()
        hdy_preferences_row_set_title(row.cast(), title)
        hdy_action_row_set_title_lines(row.cast(), 0)
        row.setAccessible(name: title)
        return row
    }

    // MARK: - Adding

    private func showInput() {
        (caller.cast() as Widget).set(style: "error", false)
        gtk_widget_set_sensitive(block, !caller.text.trimmed.isEmpty && blockList.isEditable ? 1 : 0)
        say("")
    }

    private func add() {
        let text = caller.text.trimmed
        guard !text.isEmpty, blockList.isEditable else { return }
        guard let new = BlockedCaller(text) else {
            (caller.cast() as Widget).set(style: "error", true)
            return say(localized("Enter a number, or an address such as name@example.org"))
        }
        guard !blockList.blocks(new) else { return say(localized("This caller is blocked already")) }
        guard blockList.hasRoom else { return say(phone.noRoomToBlock) }
        gtk_entry_set_text(caller, "")
        blockList.block([new])
        say(localized("{caller} is blocked", ["caller": phone.text(of: new)]))
    }

    private func say(_ text: String) {
        guard let row: Widget = try? builder.object("block-row") else { return }
        hdy_action_row_set_subtitle(row.cast(), text)
        row.setAnnounced(name: localized("Block a Number or Address"), description: text)
    }

    // MARK: - Files

    private func importList() async {
        let kind = FileDialog.Kind(
            localized("Text Files"), types: ["text/plain", "text/csv"], allFiles: localized("All Files"))
        let request = FileDialog.Request(
            opening: localized("Import Blocked Callers"), verb: localized("_Import"), kind: kind)
        guard reading == nil, let answer = await askFile(request), reading == nil, !isDestroyed else {
            return
        }
        let cancellable = Cancellable()
        reading = cancellable
        show()
        tell(localized("Reading the file…"))
        let result = await importList(from: answer.uri, cancellable)
        reading = nil
        tell(result)
        show()
    }

    /// Returns the result as a sentence.
    private func importList(from uri: String, _ cancellable: Cancellable) async -> String {
        let bytes: [UInt8]
        do throws(Files.Trouble) {
            bytes = try await Files.read(
                uri, maximum: BlockList.maximumFileSize, cancellable: cancellable)
        } catch {
            return BlockListStrings.text(error)
        }
        let read = await Self.work.run { () -> Result<BlockListFile, BlockListFile.Problem> in
            do throws(BlockListFile.Problem) { return .success(try BlockListFile.read(bytes)) } catch {
                return .failure(error)
            }
        }
        switch read {
        case .success(let file):
            // Nothing is added after the page is closed.
            let addition = await blockList.add(file.callers) { !isDestroyed }
            return BlockListStrings.text(addition, unreadable: file.unreadable, noRoom: phone.noRoomToBlock)
        case .failure(let problem): return BlockListStrings.text(problem)
        }
    }

    private func exportList() async {
        let request = FileDialog.Request(
            saving: localized("Export Blocked Callers"), as: "blocked.txt", verb: localized("_Export"))
        guard let answer = await askFile(request) else { return }
        do throws(Files.Trouble) {
            try await Files.write(Array(blockList.text.utf8), to: answer.uri)
            tell(localized("The list is exported"))
        } catch {
            tell(BlockListStrings.text(error))
        }
    }

    private func tell(_ text: String) {
        guard !isDestroyed else { return }
        hdy_action_row_set_subtitle(file.cast(), text)
        file.setAnnounced(name: localized("List as a Text File"), description: text)
    }
}
