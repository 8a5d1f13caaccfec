// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// Hands tone sets from the loader to the audio thread, which neither waits nor frees memory for them.
///
/// The set that the audio thread lets go of comes back through `retired`. There is always room for it: the loader
/// empties `retired` before each offer, and the audio thread takes at most one set an offer.
final class ToneSetSlot: Sendable {
    private let offered = Atomic<Unmanaged<ToneSet>?>(nil)
    private let retired = Atomic<Unmanaged<ToneSet>?>(nil)

    deinit {
        offered.load(ordering: .acquiring)?.release()
        retired.load(ordering: .acquiring)?.release()
    }

    /// Offers the set in place of the one that was offered before; for one thread at a time.
    func offer(_ set: ToneSet) {
        retired.exchange(nil, ordering: .acquiringAndReleasing)?.release()
        offered.exchange(.passRetained(set), ordering: .acquiringAndReleasing)?.release()
    }

    /// Takes the set that is offered, if there is one, in place of `current`; for the audio thread.
    ///
    /// The variable owns its set; it is released by hand when the thread ends.
    func take(inPlaceOf current: inout Unmanaged<ToneSet>?) {
        guard let set = offered.exchange(nil, ordering: .acquiringAndReleasing) else { return }
        retired.store(current, ordering: .releasing)
        current = set
    }
}
