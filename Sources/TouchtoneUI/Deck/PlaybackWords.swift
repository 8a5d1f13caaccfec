// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension VoiceMessages.Activity {
    /// Returns what a screen reader says when a playback has ended or was stopped; nil for any other change.
    ///
    /// It says no time while a sound plays.
    func words(followedBy next: Self) -> String? {
        guard let playback, !playback.isPaused, next == .idle else { return nil }
        let time = DurationText.text(playback.position)
        return localized("{time} played", ["time": time])
    }
}
