// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover with the devices of a conversation and those of the user, their keys, and what the user decides on them.
@MainActor
final class DevicesPopover {
    let buddy: ChatAddress
    let chat: Chat
    let popover: TransientPopover
    private let stack: Widget = gtk_stack_new()
    private let rows = Widget.box(GTK_ORIENTATION_VERTICAL)
    private let status = Widget.wrappedLabel(localized("Loading…"))
    private(set) var devices: [DeviceKey] = []
    private var views: [DeviceAddress: DeviceView] = [:]
    private var question: (pane: QuestionPane, page: Widget)?
    /// The number of questions so far: what comes late belongs to one of them.
    private(set) var questionCount = 0
    /// Asks for a file to open.
    let askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    /// The greatest height of the contents, which fit the window.
    private let height: gint
    /// The number of devices that are shown.
    private var shownCount = DevicesPopover.page
    /// The keys of a link to compare, once the devices are known.
    private var link: (account: ChatAddress, keys: [LinkedKey])?
    /// The number of devices that are built at a time: a room may have thousands.
    private static let page = 40

    private init(
        _ buddy: ChatAddress, chat: Chat, at widget: Widget,
        askFile: @escaping @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    ) {
        (self.buddy, self.chat, self.askFile) = (buddy, chat, askFile)
        popover = TransientPopover(at: widget)
        let window = gtk_widget_get_toplevel(widget).map { gtk_widget_get_allocated_height($0) } ?? 0
        height = min(360, max(120, window - 140))
        let column = popover.makeColumn(localized("Devices and Keys"))
        let scrolled = Widget.scroller(rows)
        gtk_widget_set_size_request(scrolled, -1, height)
        // The scroll bar is drawn over the contents.
        gtk_widget_set_margin_end(rows, 8)
        gtk_container_set_focus_vadjustment(
            rows.cast(), gtk_scrolled_window_get_vadjustment(scrolled.cast()))
        rows.add(status)
        gtk_widget_show_all(scrolled)
        gtk_stack_add_named(stack.cast(), scrolled, "devices")
        gtk_stack_set_vhomogeneous(stack.cast(), 0)
        column.add(stack, grows: true)
        gtk_widget_show_all(column)
        Signal.connectEvent(popover.widget, "key-press-event") { [weak self] event in
            self?.press(event.pointee.key) ?? false
        }
        Signal.connectFileDrop(column) { [weak self] in
            self?.take(text: $0)
        } _: { [weak self] in
            self?.take($0)
        }
    }

    /// Takes Escape and Ctrl+V, unless a question needs them.
    private func press(_ key: GdkEventKey) -> Bool {
        switch Int32(bitPattern: key.keyval) {
        case GDK_KEY_Escape where isAsking: goBack(to: nil)
        case GDK_KEY_v where !isAsking && key.state & GDK_CONTROL_MASK.rawValue != 0: readClipboard()
        default: return false
        }
        return true
    }

    /// Whether a question is in place of the devices.
    var isAsking: Bool { question != nil }

    /// Opens the popover, and loads the devices.
    ///
    /// - Parameter link: The keys of an account to compare with what is known; nil for none.
    static func show(
        _ buddy: ChatAddress, chat: Chat, at widget: Widget,
        comparing link: (account: ChatAddress, keys: [LinkedKey])? = nil,
        askFile: @escaping @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    ) {
        let shown = DevicesPopover(buddy, chat: chat, at: widget, askFile: askFile)
        shown.link = link
        shown.popover.open(with: shown)
        shown.load(focusing: nil)
        if let conversation = chat.selected, conversation.buddy == buddy {
            conversation.observe(by: shown) { [weak shown] in
                if $0 == .encryption, let shown, !shown.devices.isEmpty { shown.load(focusing: nil) }
            }
        }
    }

    func name(of account: ChatAddress) -> String {
        PlainText.line(chat.buddies.name(of: account), maximum: 60)
    }

    // MARK: - Devices

    /// Loads the devices, and focuses one of them if its account is not nil.
    private func load(focusing device: DeviceAddress?) {
        let isFirst = devices.isEmpty
        Task { [weak self, chat, buddy] in
            do throws(StoreError) {
                let devices = try await chat.devices(in: buddy)
                guard let self, popover.isOpen else { return }
                show(devices)
                if let device { views[device]?.focus() }
                if isFirst, question == nil { focusFirst() }
                compareLink()
            } catch {
                self?.show(problem: error.text)
            }
        }
    }

    /// Focuses what can be done with the first device: GTK would select the whole fingerprint.
    private func focusFirst() {
        guard let first = devices.first, let view = views[first.address] else { return }
        view.focus()
    }

    private func show(problem: String) {
        guard popover.isOpen else { return }
        status.text = PlainText.line(problem, maximum: 400)
        status.isVisible = true
        status.announce(status.text)
    }

    private func show(_ devices: [DeviceKey]) {
        let isSame = self.devices.map(\.address) == devices.map(\.address)
        self.devices = devices
        guard !isSame || views.isEmpty else {
            for device in devices { views[device.address]?.show(device) }
            return
        }
        build()
    }

    private func build() {
        for child in rows.children where child != status { gtk_widget_destroy(child) }
        views = [:]
        let own = devices.filter { $0.address.account == chat.account }
        let others = devices.filter { $0.address.account != chat.account }
        status.text = localized("No devices are known.")
        status.isVisible = devices.isEmpty
        var account: ChatAddress?
        for device in others.prefix(shownCount) {
            if device.address.account != account {
                account = device.address.account
                let name = name(of: device.address.account)
                addTitle(localized("Devices of {name}", ["name": name]))
            }
            add(device)
        }
        if others.count > shownCount {
            addButton(localized("Show More Devices")) { $0.showMore() }
        }
        if !others.isEmpty {
            addButton(localized("Verify by Link or Code in Clipboard…")) { $0.readClipboard() }
            addButton(localized("Verify by Code in Picture…")) { $0.choosePicture() }
            addButton(localized("Start Anew…")) { $0.askToStartAnew() }
        }
        guard !own.isEmpty else { return }
        addTitle(localized("Your Devices"))
        for device in own.prefix(Self.page) { add(device) }
        addButton(localized("Show Your Code…")) { $0.showCode() }
    }

    private func addTitle(_ text: String) {
        let label = Widget.wrappedLabel(text, style: "section")
        rows.add(label)
        gtk_widget_show(label)
    }

    private func add(_ device: DeviceKey) {
        let view = DeviceView(device, isMine: device.address.account == chat.account) {
            [weak self] device, action in self?.perform(action, on: device)
        }
        views[device.address] = view
        rows.add(view.widget)
    }

    private func addButton(_ text: String, _ body: @escaping @MainActor (DevicesPopover) -> Void) {
        let button = Widget.wrappedButton(text)
        gtk_widget_set_margin_top(button, 8)
        rows.add(button)
        gtk_widget_show_all(button)
        Signal.connect(button, "clicked") { [weak self] in if let self { body(self) } }
    }

    private func showMore() {
        shownCount += Self.page
        build()
        gtk_widget_child_focus(rows, GTK_DIR_TAB_FORWARD)
    }

    // MARK: - Actions

    private func perform(_ action: DeviceView.Action, on device: DeviceKey) {
        switch action {
        case .trust(let isOn): set(device.trust.switched(isOn), of: [device])
        case .verify: askToVerify(device)
        case .rename: askName(of: device)
        case .remove: askToRemove(device)
        }
    }

    private func set(_ trust: KeyTrust, of devices: [DeviceKey]) {
        Task { [weak self, chat, buddy] in
            do throws(StoreError) {
                for device in devices { try await chat.setTrust(trust, in: device, of: buddy) }
            } catch {
                self?.show(problem: error.text)
            }
            self?.load(focusing: nil)
        }
    }

    private func askToVerify(_ device: DeviceKey) {
        let isMine = device.address.account == chat.account
        let text =
            isMine
            ? localized("Compare this fingerprint with the one that your other device shows for itself.")
            : localized(
                "Compare this fingerprint with the one that {name} sees for this device: when you meet, or in a call. Is each digit the same?",
                ["name": name(of: device.address.account)])
        ask(
            .init(
                title: localized("Verify {device}", ["device": device.name]), text: text,
                fingerprint: device.fingerprint, verb: localized("They Are the Same"),
                action: verification(of: [device])), from: device.address)
    }

    /// Returns the action that verifies devices.
    func verification(of devices: [DeviceKey]) -> @MainActor (String) async throws(ChatServiceError) -> Void {
        { [chat, buddy] (_) throws(ChatServiceError) in
            do throws(StoreError) {
                for device in devices { try await chat.setTrust(.verified, in: device, of: buddy) }
            } catch {
                throw .refused(error.text)
            }
        }
    }

    private func askName(of device: DeviceKey) {
        ask(
            .init(
                title: localized("Rename {device}", ["device": device.name]),
                text: localized("The name is for you alone."),
                field: (localized("Name"), device.label), verb: localized("Rename"),
                action: { [chat, buddy] (name) throws(ChatServiceError) in
                    do throws(StoreError) {
                        try await chat.setLabel(name, of: device, in: buddy)
                    } catch {
                        throw .refused(error.text)
                    }
                }), from: device.address)
    }

    private func askToRemove(_ device: DeviceKey) {
        ask(
            .init(
                title: localized("Remove {device}?", ["device": device.name]),
                text: localized(
                    "Messages are no longer encrypted for it. If it is still in use, it comes back when it signs in."
                ),
                verb: localized("Remove"), isDestructive: true,
                action: { [chat, buddy] (_) throws(ChatServiceError) in
                    try await chat.remove(device, in: buddy)
                }), from: device.address)
    }

    private func askToStartAnew() {
        ask(
            .init(
                title: localized("Start Anew?"),
                text: localized(
                    "If messages can’t be decrypted on one side, new keys are exchanged with all devices of this conversation. What you have decided on them stays."
                ),
                verb: localized("Start Anew"),
                action: { [chat, buddy] (_) throws(ChatServiceError) in
                    do throws(StoreError) {
                        try await chat.startAnew(with: buddy)
                    } catch {
                        throw .refused(error.text)
                    }
                }), from: nil)
    }

    // MARK: - Questions

    /// Asks a question in place of the devices; afterwards, the device from which it came has the focus.
    func ask(_ question: QuestionPane.Question, from device: DeviceAddress?) {
        if let old = self.question { gtk_widget_destroy(old.page) }
        let pane = QuestionPane(question) { [weak self] in self?.goBack(to: device) }
        let page = Widget.scroller(pane.widget)
        gtk_scrolled_window_set_propagate_natural_height(page.cast(), 1)
        gtk_scrolled_window_set_max_content_height(page.cast(), height)
        gtk_container_set_focus_vadjustment(
            pane.widget.cast(), gtk_scrolled_window_get_vadjustment(page.cast()))
        gtk_widget_show(page)
        self.question = (pane, page)
        questionCount += 1
        gtk_stack_add_named(stack.cast(), page, "question")
        gtk_stack_set_visible_child_name(stack.cast(), "question")
        pane.focus()
    }

    private func goBack(to device: DeviceAddress?) {
        guard let page = question?.page, popover.isOpen else { return }
        question = nil
        gtk_stack_set_visible_child_name(stack.cast(), "devices")
        gtk_widget_destroy(page)
        if device == nil || views[device ?? DeviceAddress(buddy, 1)] == nil {
            focusFirst()
        }
        load(focusing: device)
    }

    private func compareLink() {
        guard let link else { return }
        self.link = nil
        compare(link.keys, of: link.account)
    }
}
