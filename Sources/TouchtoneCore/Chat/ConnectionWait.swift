// SPDX-License-Identifier: GPL-3.0-or-later

extension Chat {
    /// Returns once the account is no longer being connected: it is online, or there is a reason why not.
    func connectionSettled() async {
        guard isConnecting else { return }
        await withCheckedContinuation { continuation in
            let wait = ConnectionWait(continuation)
            observe(by: wait) { [weak self, weak wait] _ in
                if self?.isConnecting != true { wait?.end() }
            }
        }
    }

    private var isConnecting: Bool { state == .connecting || state == .asking }
}

/// A wait for the end of connecting, which keeps itself until then.
@MainActor
private final class ConnectionWait {
    private var continuation: CheckedContinuation<Void, Never>?
    private var itself: ConnectionWait?

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = continuation
        itself = self
    }

    func end() {
        continuation?.resume()
        (continuation, itself) = (nil, nil)
    }
}
