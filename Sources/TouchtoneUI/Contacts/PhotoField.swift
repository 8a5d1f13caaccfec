// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The picture in the editor, with buttons to choose and remove it.
@MainActor
final class PhotoField {
    let widget = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12)
    var onChange: (@MainActor () -> Void)?
    /// The observer of errors, with the message; empty after a picture was read.
    var onProblem: (@MainActor (String) -> Void)?
    private(set) var change = PhotoChange.kept

    private let avatar = Avatar(side: 64)
    private let choose = Widget.button(localized("Choose Picture…"), style: "panel-key")
    private let remove = Widget.button(localized("Remove Picture"), style: "panel-key")
    private weak var navigator: (any Navigator)?
    private var hadPhoto = false
    private var shown: Picture?
    /// The number of the latest change; a picture that was read for an earlier one is dropped.
    private var turn = 0

    /// The longer side of a saved picture, in pixels.
    private static let side = 512

    init(navigator: (any Navigator)?) {
        self.navigator = navigator
        let keys = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6)
        gtk_widget_set_valign(keys, GTK_ALIGN_CENTER)
        for key in [choose, remove] {
            gtk_widget_set_halign(key, GTK_ALIGN_START)
            keys.add(key)
        }
        gtk_widget_set_no_show_all(remove, 1)
        widget.add(avatar.widget)
        widget.add(keys)
        Signal.connect(choose, "clicked") { [weak self] in Task { await self?.askForPicture() } }
        Signal.connect(remove, "clicked") { [weak self] in self?.set(.removed) }
    }

    /// - Parameter photo: Reads the saved picture; it returns nil if there is none.
    func begin(_ draft: ContactDraft, photo: @escaping @MainActor () async -> [UInt8]?) {
        (change, hadPhoto) = (draft.photo, draft.hadPhoto)
        turn += 1
        shown = nil
        show()
        switch change {
        case .set(let bytes): read(bytes)
        case .kept where hadPhoto:
            let turn = turn
            Task { [weak self] in
                if let bytes = await photo(), let self, turn == self.turn { read(bytes) }
            }
        case .kept, .removed: break
        }
    }

    /// The name whose first letter is shown if there is no picture.
    var name = "" { didSet { show() } }

    private func set(_ change: PhotoChange) {
        self.change = change
        turn += 1
        shown = nil
        if case .set(let bytes) = change { read(bytes) }
        show()
        onChange?()
    }

    private func show() {
        avatar.show(shown, name: name)
        remove.isVisible = if case .set = change { true } else { change == .kept && hadPhoto }
    }

    private func read(_ bytes: [UInt8]) {
        let turn = turn
        Picture.read(bytes, side: 64, scale: Int(gtk_widget_get_scale_factor(widget))) { [weak self] in
            guard let self, turn == self.turn else { return }
            shown = $0
            show()
        }
    }

    private func askForPicture() async {
        guard let file = await navigator?.askFile(PictureChoice.request) else { return }
        turn += 1
        let turn = turn
        do throws(PictureChoice.Problem) {
            let small = try await PictureChoice.read(
                file, longest: Self.side, maximum: ContactCard.maximumPhotoSize)
            // The editor may show a different contact by now.
            guard turn == self.turn else { return }
            onProblem?("")
            set(.set(small))
        } catch {
            if turn == self.turn { onProblem?(error.text) }
        }
    }
}
