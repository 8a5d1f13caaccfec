// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The actions of the window, which its menus and shortcuts activate.
@MainActor
final class WindowActions {
    static var pages: [String] { PanelPageName.allCases.map(\.rawValue) }

    /// The names of the actions for memory keys, and for the contact of the number on the display and its conversation.
    static let people = ["memory", "memory-store", "contact", "message"]

    private static let own = ["copy", "paste", "redial", "panel", "phone", "menu", "show-help-overlay"]

    /// The call actions that are disabled while the phone is locked, unlike those that answer, end or mute.
    private static let calls = [
        "flash", "hold", "speaker", "keypad", "join", "transfer", "calls-now", "add-call",
    ]

    private let actions: ActionMap
    private let phone: Phone
    private let panel: PanelController
    private let call: CallView
    private let cover: LockCover
    private let display: Widget
    private let menus: WindowMenus
    private let suggestions: SuggestionController
    private let incoming: IncomingActions
    private var isOpen = true

    init(
        of window: UnsafeMutablePointer<GtkWindow>, phone: Phone, panel: PanelController, call: CallView,
        cover: LockCover, display: Widget, menus: WindowMenus, suggestions: SuggestionController,
        incoming: IncomingActions
    ) {
        actions = ActionMap(window)
        (self.phone, self.panel, self.call, self.cover) = (phone, panel, call, cover)
        (self.display, self.menus, self.suggestions) = (display, menus, suggestions)
        self.incoming = incoming
        addOwn()
        addPages()
        addPeople()
        addCalls()
    }

    func setEnabled(_ isOpen: Bool) {
        self.isOpen = isOpen
        for name in Self.own + Self.pages + Self.people + Self.calls { actions.setEnabled(name, isOpen) }
        showCalls()
    }

    /// Enables what can be done with the call that rings; the menu shows it only then.
    func showCalls() {
        actions.setEnabled("block", isOpen && incoming.canBlock)
        actions.setEnabled("send-to", isOpen && incoming.canSend)
    }

    private func addOwn() {
        actions.add("copy") { [phone] in
            let text = phone.copy()
            if !text.isEmpty { Clipboard.write(text) }
        }
        actions.add("paste") { [weak phone] in Clipboard.read { phone?.paste($0) } }
        actions.add("redial") { [phone] in phone.redial() }
        actions.add("panel") { [weak panel] in panel?.folding.toggle() }
        actions.add("phone") { [weak self] in self?.focusPhone() }
        actions.add("menu") { [weak menus] in menus?.showMenu() }
        actions.add("show-help-overlay") { [weak menus] in menus?.showShortcuts() }
    }

    private func addPages() {
        for page in PanelPageName.allCases {
            actions.add(page.rawValue) { [weak panel] in
                panel?.open(page: page)
                panel?.side.focusPage()
            }
        }
    }

    private func addPeople() {
        actions.add("memory") { [weak self] in self?.askMemory(.dial) }
        actions.add("memory-store") { [weak self] in self?.askMemory(.store) }
        actions.add("contact") { [weak self] in
            if let self { panel.showContact(of: phone.number) }
        }
        actions.add("message") { [weak self] in self?.suggestions.messageSelection() }
    }

    private func addCalls() {
        let calls = phone.calls
        actions.add("take") { [weak cover] in
            if calls.answerable != nil {
                calls.answer()
            } else if cover?.isOn == false {
                calls.sendPostDialDigits()
            }
        }
        actions.add("decline") { calls.decline() }
        actions.add("send-to") { [weak self] in if self?.isOpen == true { self?.incoming.send() } }
        actions.add("block") { [weak self] in if self?.isOpen == true { self?.incoming.block() } }
        showCalls()
        actions.add("flash") { calls.flash() }
        actions.add("mute") { calls.setMuted(calls.current?.isMuted != true) }
        actions.add("hold") { calls.setHeld(calls.current?.state != .held) }
        actions.add("speaker") { [weak call] in call?.chooseSpeaker() }
        actions.add("keypad") { [weak call] in call?.toggleKeypad() }
        actions.add("record") { [weak phone] in phone?.toggleRecording() }
        actions.add("join") { calls.join() }
        actions.add("calls-now") { [weak call] in call?.openList() }
        actions.add("add-call") { calls.addCall() }
        actions.add("transfer") { [phone] in phone.transfer() }
    }

    /// Waits for the digit of a memory key, and moves the focus to the phone, which receives it.
    private func askMemory(_ question: MemoryDialling.Question) {
        phone.askMemory(question)
        focusPhone()
    }

    /// Moves the focus to the display, from where all keys go to the phone.
    private func focusPhone() {
        panel.folding.showPhone()
        gtk_widget_grab_focus(display)
    }
}
