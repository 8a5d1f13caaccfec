// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of a service that transports messages.
@MainActor
public protocol MessageService: AnyObject {
    /// Returns whether a text is short enough to send to a buddy, also as a correction.
    func canSend(_ text: String, to buddy: ChatAddress) -> Bool
    /// Sends a stored message that is waiting, and reports its progress as updates. While it cannot send, the service
    /// does nothing, and later reports `ready` to receive the waiting messages again. A message that is already on its
    /// way is not sent again.
    func send(_ message: ChatMessage)
    /// Sends the corrected text of the user’s message in a stanza with the ID `name`.
    func sendCorrection(of message: ChatMessage, name: String)
    /// Sends a reaction or a retraction of the user’s in a stanza with its ID, as `send` does a message.
    func send(_ annotation: MessageAnnotation)
    /// Sends a delivery receipt to the buddy. Called once the message is stored.
    func confirmArrival(of message: ChatMessage)
    /// Reports to the buddy, and to the user’s other devices, that the messages up to this one have been read.
    func confirmReading(of message: ChatMessage)
    /// Reports that to the user’s other devices alone (XEP-0490).
    func shareReading(upTo message: ChatMessage)
    /// Sends the user’s chat state to the buddy (XEP-0085).
    func sendChatState(_ typing: Typing, to buddy: ChatAddress)
    /// Requests older messages, reports them, and then returns whether there may be more.
    ///
    /// - Parameter archiveName: The identifier before which to start; nil for the newest messages.
    func loadHistory(of buddy: ChatAddress, before archiveName: String?) async throws(ChatServiceError)
        -> Bool
}
