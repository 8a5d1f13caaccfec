// SPDX-License-Identifier: GPL-3.0-or-later

private import CGio
public import TouchtoneCore

/// The line that hands numbers to the desktop's own telephone program, as `tel:` links (RFC 3966).
@MainActor
public final class TelLine: Line {
    /// The setting's name for this line.
    public let id = "tel"
    /// What the display shows.
    public let label = "LINE 1"
    private let ownEntry: String

    /// Creates the line.
    ///
    /// - Parameter ownEntry: the name of this program's desktop entry, `….desktop`. It handles `tel:` links too, and
    ///   is never given one of its own.
    public init(ownEntry: String) {
        self.ownEntry = ownEntry
    }

    /// Starts the handler with the number; answers once it has started or failed to.
    public func dial(_ number: DialledNumber) async throws(LineError) -> DialOutcome {
        guard let handler = TelHandler.preferred(otherThan: ownEntry) else { throw .noTelHandler }
        let answer = await withCheckedContinuation { handler.launch(TelURI(number).text, answer: $0) }
        if case .failure(let refusal) = answer {
            throw .handlerFailed(name: handler.name, reason: refusal.reason)
        }
        return .handedOver(to: handler.name)
    }
}
