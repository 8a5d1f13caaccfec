// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The effects of a conversation on the machine: it stays awake, and media players pause.
///
/// They last from dialling or answering to the end of the last call, also while it is on hold. A call that only rings
/// here has neither, since the bell is louder than music and a caller should not control it.
@MainActor
final class CallEffects {
    static let key = "pause-media"

    private let calls: CallManager
    private let settings: Settings
    private let inhibitor = SuspendInhibitor(id: Resources.applicationID)
    private let players = MediaPlayers()

    init(calls: CallManager, settings: Settings) {
        (self.calls, self.settings) = (calls, settings)
        calls.observe(by: self) { [weak self] in if $0 == .calls { self?.update() } }
        settings.follow(Self.key) { [weak self] in self?.update() }
    }

    /// Waits briefly for the players to resume before the program exits; its calls have ended.
    func leave() {
        MainLoop.run(upTo: 500) { [players] in players.isSettled }
    }

    private func update() {
        inhibitor.set(calls.hasConversation ? localized("A call is in progress") : nil)
        players.setPaused(calls.hasConversation && settings[flag: Self.key])
    }
}
