// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The line above the conversation of a room in which the user cannot speak, with the reason and a button.
@MainActor
final class RoomLine {
    let widget = Widget.box(GTK_ORIENTATION_VERTICAL)
    var onJoin: (@MainActor (ChatAddress) -> Void)?
    /// Called when a visitor of a moderated room wants to speak.
    var onRequestVoice: (@MainActor (ChatAddress) -> Void)?
    /// The room whose moderators were asked.
    private var asked: ChatAddress?
    /// The room that was shown last, and whether the user may speak there.
    private var voice: (room: ChatAddress, isGiven: Bool)?
    private let banner = PanelBanner()

    init() { widget.add(banner.widget) }

    /// Shows the state of a room, or nothing if it is nil.
    func show(_ room: Room?) {
        switch room?.standing {
        case .joined?: showVoice(room)
        case .joining?: banner.show(.init(text: localized("Joining…"), isFailure: false))
        case .outside(let reason)?:
            let text = reason?.text ?? localized("You are not in this room.")
            banner.show(
                .init(
                    text: PlainText.line(text, maximum: 400), verb: localizedIn("button", "Join"),
                    isFailure: reason != nil)
            ) { [weak self] in if let room { self?.onJoin?(room.address) } }
        case nil: banner.show(nil)
        }
    }

    private func showVoice(_ room: Room?) {
        announceVoice(in: room)
        guard let room, Self.isSilent(in: room) else {
            if asked == room?.address { asked = nil }
            return banner.show(nil)
        }
        guard asked != room.address else {
            return banner.show(.init(text: Self.wasAsked, isFailure: false))
        }
        banner.show(.init(text: Self.cannotSpeak, verb: localized("Ask to Speak"), isFailure: false)) {
            [weak self] in
            guard let self else { return }
            asked = room.address
            show(room)
            widget.announce(Self.wasAsked)
            onRequestVoice?(room.address)
        }
    }

    /// Announces that the user has lost or got the right to speak in the room that is shown.
    private func announceVoice(in room: Room?) {
        guard let room, room.peopleCount > 0 else { return }
        let (last, isGiven) = (voice, !Self.isSilent(in: room))
        voice = (room.address, isGiven)
        guard let last, last.room == room.address, last.isGiven != isGiven, gtk_widget_get_mapped(widget) != 0
        else { return }
        widget.announce(isGiven ? localized("You may speak in this room.") : Self.cannotSpeak)
    }

    /// Whether the user may read in a room, but not speak; what is allowed is known once people are.
    private static func isSilent(in room: Room) -> Bool {
        room.peopleCount > 0 && !room.rights.contains(.speak)
    }

    private static var cannotSpeak: String {
        localized("You can read in this room, but only others may speak.")
    }

    private static var wasAsked: String { localized("The moderators were asked to let you speak.") }
}
