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
        case putOff(ChatAddress)
    }

    /// Whether the user wants it anywhere.
    public var isAllowed = true
    /// The buddies who ask.
    public var asking: Set<ChatAddress> = []

    private var calls: [Call] = []

    /// Returns and clears the recorded requests.
    public func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Returns whether the buddy is one of those who ask.
    public func isAsked(by buddy: ChatAddress) -> Bool { asking.contains(buddy) }
    /// Records the request.
    public func putOff(_ buddy: ChatAddress) {
        calls.append(.putOff(buddy))
        asking.remove(buddy)
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
