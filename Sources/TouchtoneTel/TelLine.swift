// SPDX-License-Identifier: GPL-3.0-or-later

private import GLibBridge
public import TouchtoneCore

/// A line that passes numbers to the desktop's own phone app, as `tel:` links (RFC 3966).
@MainActor
public final class TelLine: Line {
    public let id = "tel"
    /// The name of this line on the display: that of the other app.
    public var label: String {
        let shown = DisplayName.text(name)
        return shown.isEmpty ? localizedIn("segment display", "PHONE APP") : shown
    }
    /// The name of the app that gets the numbers; empty without one.
    public var name: String {
        if let appName { return appName }
        let name = TelHandler.preferred(otherThan: ownEntry)?.name ?? ""
        appName = name
        return name
    }
    /// The name of the app; nil after a change of the installed apps, because a search reads files.
    private var appName: String?
    public var rules: DialRules { makeRules() }
    public var makeRules: @MainActor () -> DialRules = { DialRules() }
    /// Only the state changes: incoming calls belong to the other app.
    public var onEvent: ((LineEvent) -> Void)?
    private let ownEntry: String
    private var watch: TelHandlerWatch?

    /// `ownEntry` names this app's desktop entry, `….desktop`, which handles `tel:` too and gets no number.
    public init(ownEntry: String) {
        self.ownEntry = ownEntry
        watch = TelHandlerWatch { [weak self] in
            self?.appName = nil
            self?.onEvent?(.stateChanged)
        }
    }

    /// The state of the line: available if another app that handles `tel:` links is installed.
    public var state: LineState {
        TelHandler.preferred(otherThan: ownEntry) == nil
            ? .unavailable(reason: localized("No other app for tel: links is installed.")) : .available
    }

    /// Starts the handler with the number; the call ends once the handler has started or failed to start.
    public func dial(_ remote: RemoteParty) -> any LineCall {
        let call = TelCall(remote)
        call.handOver(to: TelHandler.preferred(otherThan: ownEntry))
        return call
    }
}

/// A number that is being passed to the other app, to which the call then belongs.
@MainActor
private final class TelCall: LineCall {
    let remote: RemoteParty
    let features: CallFeatures = []
    var onEvent: ((CallEvent) -> Void)?

    init(_ remote: RemoteParty) { self.remote = remote }

    func handOver(to handler: TelHandler?) {
        Task {
            guard let handler else { return end(.noTelHandler) }
            do throws(GLibError) {
                try await handler.launch(TelURI(remote.number).text)
                end(.handedOver(to: handler.name))
            } catch {
                end(.handlerFailed(name: handler.name, reason: error.message))
            }
        }
    }

    private func end(_ reason: CallEndReason) { onEvent?(.ended(reason)) }

    // The other app controls the call.
    func answer() {}
    func hangUp() {}
    func hold() {}
    func resume() {}
    func setMuted(_ isMuted: Bool) {}
    func send(_ key: DTMFKey) {}
}
