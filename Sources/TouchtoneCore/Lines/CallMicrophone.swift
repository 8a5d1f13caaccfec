// SPDX-License-Identifier: GPL-3.0-or-later

/// The level of the microphone in the call that is heard, which is measured only while somebody looks at it.
@MainActor
public final class CallMicrophone {
    /// The level of silence, in dBFS.
    public static let silence = -90.0

    /// The present level, in dBFS: at most 0.
    public private(set) var level = silence

    /// Called when the level has changed, ten times a second at most.
    public var onLevel: (@MainActor () -> Void)?

    /// Whether the level is measured.
    public var isWatched = false { didSet { if isWatched != oldValue { update() } } }

    private var heard: (any LineCall)?
    private var measured: (any LineCall)?

    /// Measures another call from now on, or none.
    func follow(_ call: (any LineCall)?) {
        guard call !== heard else { return }
        heard = call
        update()
    }

    /// Takes the level that a line has measured, which comes too often for what a change of a call brings with it; returns
    /// whether the event is one.
    func takes(_ event: CallEvent, from call: any LineCall) -> Bool {
        guard case .microphoneLevel(let level) = event else { return false }
        if call === measured, !level.isNaN { set(min(0, max(Self.silence, level))) }
        return true
    }

    private func update() {
        let wanted = isWatched ? heard : nil
        guard wanted !== measured else { return }
        measured?.watchMicrophone(false)
        measured = wanted
        set(Self.silence)
        measured?.watchMicrophone(true)
    }

    private func set(_ new: Double) {
        guard new != level else { return }
        level = new
        onLevel?()
    }
}

extension CallManager {
    /// Returns the call whose microphone can be measured: the one that is heard.
    var microphoneCall: (any LineCall)? {
        guard let activeCall, activeCall.state.isConversation,
            activeCall.features.contains(.microphoneLevel)
        else { return nil }
        return lineCalls[activeCall.id]
    }
}
