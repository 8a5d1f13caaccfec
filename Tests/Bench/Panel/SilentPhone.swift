// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneUI

/// A phone without sounds and calls, which the measured pages need to write numbers.
enum SilentPhone {
    @MainActor
    static func make() -> Phone {
        Phone(tones: NoSound(), formatter: NumberFormatter(), clock: MainLoopScheduler(), line: NoLine())
    }
}

private final class NoSound: ToneOutput, SoundOutput {
    func start(_ key: DTMFKey) {}
    func stop() {}
    func setReady(_ ready: Bool) {}
    func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound { PlayedSound(number: 0) }
    func stop(_ sound: PlayedSound) {}
}

@MainActor
private final class NoLine: Line {
    let id = "none"
    let label = "NONE"
    let state = LineState.unavailable(reason: "")
    var onEvent: ((LineEvent) -> Void)?
    func dial(_ remote: RemoteParty) -> any LineCall { NoCall(remote) }
}

@MainActor
private final class NoCall: LineCall {
    let remote: RemoteParty
    let features: CallFeatures = []
    var onEvent: ((CallEvent) -> Void)?
    init(_ remote: RemoteParty) { self.remote = remote }
    func answer() {}
    func hangUp() {}
    func hold() {}
    func resume() {}
    func setMuted(_ isMuted: Bool) {}
    func send(_ key: DTMFKey) {}
}

struct NoVCards: VCardCoding {
    func read(_ bytes: [UInt8]) async throws(VCardError) -> VCardReadResult { throw .noVCard }
    func write(_ contacts: [NewContact], version: VCardVersion) async -> [UInt8] { [] }
}
