// SPDX-License-Identifier: GPL-3.0-or-later

private import GLibBridge
public import TouchtoneCore

/// The line that hands numbers to the desktop's own telephone program, as `tel:` links (RFC 3966).
@MainActor
public final class TelLine: Line {
    /// The setting's name for this line.
    public let id = "tel"
    /// What the display shows.
    public let label = "LINE 1"
    /// How numbers are written on this line.
    public var rules: DialRules { makeRules() }
    /// Asked for the rules at each call.
    public var makeRules: @MainActor () -> DialRules = { DialRules() }
    /// Told of changes of the state alone: what comes in is the other program's.
    public var onEvent: ((LineEvent) -> Void)?
    private let ownEntry: String
    private var watch: TelHandlerWatch?

    /// Creates the line.
    ///
    /// - Parameter ownEntry: the name of this program's desktop entry, `….desktop`. It handles `tel:` links too, and
    ///   is never given one of its own.
    public init(ownEntry: String) {
        self.ownEntry = ownEntry
        watch = TelHandlerWatch { [weak self] in self?.onEvent?(.stateChanged) }
    }

    /// Whether a program is installed that takes `tel:` links, other than this one.
    public var state: LineState {
        TelHandler.preferred(otherThan: ownEntry) == nil
            ? .unavailable(reason: "No other program for telephone links is installed.") : .available
    }

    /// Starts the handler with the number; the call ends once it has started or failed to.
    public func dial(_ remote: RemoteParty) -> any LineCall {
        let call = TelCall(remote)
        call.handOver(to: TelHandler.preferred(otherThan: ownEntry))
        return call
    }
}

/// A number on its way to the other program, whose call it is from then on.
@MainActor
private final class TelCall: LineCall {
    let remote: RemoteParty
    let features: CallFeatures = []
    var onEvent: ((CallEvent) -> Void)?

    init(_ remote: RemoteParty) { self.remote = remote }

    func handOver(to handler: TelHandler?) {
        Task {
            guard let handler else { return tell(.noTelHandler) }
            do throws(GLibError) {
                try await handler.launch(TelURI(remote.number).text)
                tell(.handedOver(to: handler.name))
            } catch {
                tell(.handlerFailed(name: handler.name, reason: error.message))
            }
        }
    }

    private func tell(_ end: CallEndReason) { onEvent?(.ended(end)) }

    // The other program's business.
    func answer() {}
    func hangUp() {}
    func hold() {}
    func resume() {}
    func setMuted(_ isMuted: Bool) {}
    func send(_ key: DTMFKey) {}
}
