// SPDX-License-Identifier: GPL-3.0-or-later

/// The lines of the phone, which are added and removed, and their states.
///
///     let lines = LineRegistry(fallback: exchange)
///     lines.add(tel)
///     calls.acceptCalls(from: lines)  // receives incoming calls
///
/// The composition root owns it. It is the only receiver of its lines' events.
@MainActor
public final class LineRegistry {
    public enum Change: Hashable, Sendable {
        case lines
        /// The state of the line with that id changed.
        case state(of: String)
    }

    /// The line that always exists and has no requirements; the last in order of preference.
    public let fallback: any Line

    /// The lines of the user's accounts, which precede all others; the calls of a removed line continue.
    public var accounts: [any Line] = [] {
        didSet {
            for line in oldValue where !accounts.contains(where: { $0 === line }) { line.onEvent = nil }
            for line in accounts where !oldValue.contains(where: { $0 === line }) { receiveEvents(of: line) }
            observers.notify(.lines)
        }
    }

    /// The lines, in the order of preference.
    public var lines: [any Line] { accounts + added + [fallback] }

    /// The receiver of incoming calls, set by `CallManager.acceptCalls(from:)`; nil hangs them up.
    public var onIncoming: ((any LineCall, any Line) -> Void)?

    /// The receiver of calls that were begun on the phone that a line is, set by `CallManager.acceptCalls(from:)`.
    public var onAppeared: ((any LineCall, any Line) -> Void)?

    /// The receiver of callers that a line declined as busy, set by `CallManager.acceptCalls(from:)`.
    public var onDeclined: ((RemoteParty, any Line) -> Void)?

    /// The receiver of calls that were missed elsewhere, set by `CallManager.acceptCalls(from:)`.
    public var onMissed: ((RemoteParty, Duration, CallEndReason, any Line) -> Void)?

    private var added: [any Line] = []
    private let observers = Observers<Change>()

    public init(fallback: any Line) {
        self.fallback = fallback
        receiveEvents(of: fallback)
    }

    public func line(_ id: String) -> (any Line)? { lines.first { $0.id == id } }

    /// Adds a line below the accounts and those added before, and above the fallback; does nothing if the id is in use.
    ///
    /// A mobile comes above those added before.
    public func add(_ line: any Line) {
        guard self.line(line.id) == nil else { return }
        added.insert(line, at: line.isMobile ? 0 : added.count)
        receiveEvents(of: line)
        observers.notify(.lines)
    }

    /// Removes a line, unless it is the fallback; its calls continue until it ends them.
    public func remove(_ id: String) {
        guard let index = added.firstIndex(where: { $0.id == id }) else { return }
        let line = added.remove(at: index)
        line.onEvent = nil
        observers.notify(.lines)
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor (Change) -> Void) {
        observers.add(owner, body)
    }

    private func receiveEvents(of line: any Line) {
        line.onEvent = { [weak self, weak line] event in
            switch event {
            case .incoming(let call):
                guard let line, let onIncoming = self?.onIncoming else { return call.hangUp() }
                onIncoming(call, line)
            case .appeared(let call):
                // Without a receiver it goes on, on its own phone.
                if let line { self?.onAppeared?(call, line) }
            case .declined(let caller):
                if let line { self?.onDeclined?(caller, line) }
            case .missed(let caller, let age, let reason):
                if let line { self?.onMissed?(caller, age, reason, line) }
            case .stateChanged:
                if let line { self?.observers.notify(.state(of: line.id)) }
            }
        }
    }
}
