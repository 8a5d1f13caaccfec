// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The row for the user's own picture, which the account publishes.
@MainActor
final class PictureRow {
    private let row: UnsafeMutablePointer<HdyActionRow>
    private let choose, remove: Widget
    private let avatar = Avatar(side: 40)
    private let chat: Chat
    private let askFile: @MainActor (FileDialog.Request) async -> FileDialog.Answer?
    private var shown: [UInt8]?
    private var problem = ""
    private var isBusy = false
    private var isDestroyed = false

    /// The longer side of the published picture, in pixels.
    private static let side = 192
    /// The maximum size of the published picture, in bytes: larger ones are not shown by some programs.
    private static let maximumBytes = 256 << 10

    /// - Parameter askFile: A function that asks for a file; nil opens the desktop's dialog.
    init(
        _ builder: Builder, chat: Chat,
        askFile: (@MainActor (FileDialog.Request) async -> FileDialog.Answer?)?
    ) throws(GLibError) {
        row = try builder.object("picture-row")
        (choose, remove) = (try builder.object("choose-picture"), try builder.object("remove-picture"))
        self.chat = chat
        let widget: Widget = row.cast()
        self.askFile = askFile ?? { await FileDialog.ask($0, over: widget) }
        hdy_action_row_add_prefix(row, avatar.widget)
        Signal.connect(row, "destroy") { [weak self] in self?.isDestroyed = true }
        Signal.connect(choose, "clicked") { [weak self] in Task { await self?.choosePicture() } }
        Signal.connect(remove, "clicked") { [weak self] in Task { await self?.publish(nil) } }
        chat.observe(by: self) { [weak self] _ in self?.show() }
        chat.buddies.observe(by: self) { [weak self] in if case .picture = $0 { self?.show() } }
    }

    func setVisible(_ isVisible: Bool) { gtk_widget_set_visible(row.cast(), isVisible ? 1 : 0) }

    private func show() {
        guard !isDestroyed else { return }
        let (isOnline, picture) = (chat.state == .online, chat.ownPicture)
        gtk_widget_set_sensitive(choose, isOnline && !isBusy ? 1 : 0)
        gtk_widget_set_sensitive(remove, isOnline && !isBusy ? 1 : 0)
        remove.isVisible = picture != nil
        let subtitle =
            if !problem.isEmpty {
                problem
            } else if isOnline {
                localized("Shown to the people who see your status")
            } else {
                localized("You can change it while you are signed in")
            }
        hdy_action_row_set_subtitle(row, subtitle)
        cgtk_widget_set_accessible(row.cast(), localized("Your Picture"), subtitle)
        // Without a picture, the space for it would move the title away from those of the other rows.
        gtk_widget_get_parent(avatar.widget)?.isVisible = picture != nil
        guard picture != shown else { return }
        shown = picture
        guard let picture else { return avatar.show(nil, name: "") }
        Picture.read(picture, side: 40, scale: Int(gtk_widget_get_scale_factor(row.cast()))) { [weak self] in
            if let self, shown == picture { avatar.show($0, name: "") }
        }
    }

    private func choosePicture() async {
        guard let file = await askFile(PictureChoice.request) else { return }
        do throws(PictureChoice.Problem) {
            await publish(
                try await PictureChoice.read(
                    file, longest: Self.side, maximum: Self.maximumBytes, isPNG: true))
        } catch {
            problem = error.text
            show()
        }
    }

    private func publish(_ picture: [UInt8]?) async {
        (isBusy, problem) = (true, "")
        show()
        do throws(ChatServiceError) {
            try await chat.setPicture(picture)
        } catch {
            problem = error.text
        }
        isBusy = false
        show()
    }
}
