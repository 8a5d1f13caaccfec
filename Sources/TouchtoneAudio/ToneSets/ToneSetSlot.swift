// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// Passes tone sets from the loader to the audio thread, which neither waits nor frees memory.
///
/// The audio thread returns its previous set through `retired`, which always has room: the loader empties it before
/// each offer, and the audio thread takes at most one set per offer.
final class ToneSetSlot: Sendable {
    private let offered = Atomic<Unmanaged<ToneSet>?>(nil)
    private let retired = Atomic<Unmanaged<ToneSet>?>(nil)

    deinit {
        offered.load(ordering: .acquiring)?.release()
        retired.load(ordering: .acquiring)?.release()
    }

    /// Offers a set in place of the previous offer; call it from one thread at a time.
    func offer(_ set: ToneSet) {
        retired.exchange(nil, ordering: .acquiringAndReleasing)?.release()
        offered.exchange(.passRetained(set), ordering: .acquiringAndReleasing)?.release()
    }

    /// Replaces `current`, whose set the audio thread releases manually at its end, with an offered one.
    func take(inPlaceOf current: inout Unmanaged<ToneSet>?) {
        guard let set = offered.exchange(nil, ordering: .acquiringAndReleasing) else { return }
        retired.store(current, ordering: .releasing)
        current = set
    }
}
