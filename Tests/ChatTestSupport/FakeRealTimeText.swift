// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Real-time text that records every request.
@MainActor
public final class FakeRealTimeText: RealTimeTextService {
    /// A recorded request.
    public enum Call: Hashable, Sendable {
        case start(ChatAddress)
        case typed(String)
        case end
        case stop
    }

    private var calls: [Call] = []

    /// Returns and clears the recorded requests.
    public func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Records the request.
    public func startRealTimeText(with buddy: ChatAddress) { calls.append(.start(buddy)) }
    /// Records the request.
    public func showTyped(_ text: String) { calls.append(.typed(text)) }
    /// Records the request.
    public func endTyped() { calls.append(.end) }
    /// Records the request.
    public func stopRealTimeText() { calls.append(.stop) }
}
