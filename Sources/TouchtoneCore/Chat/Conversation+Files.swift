// SPDX-License-Identifier: GPL-3.0-or-later

extension Conversation {
    /// The greatest length of the address of an uploaded file, in characters.
    private static let addressLength = 2048

    /// Sends files with the words about them; if none can be saved, the words become the draft again.
    ///
    /// - Parameters:
    ///   - original: The message to reply to; nil if the text is no reply.
    ///   - completion: Called with the reasons why some files could not be saved.
    /// - Returns: False if the text is too long: it stays the draft, and nothing else changes.
    public func send(
        _ drafts: [FileDraft], text: String, inReplyTo original: ChatMessage? = nil,
        completion: @escaping @MainActor ([String]) -> Void
    ) -> Bool {
        guard let uploads = chat.uploads else { return true }
        let text = text.allSatisfy(\.isWhitespace) ? "" : text.carried
        let address = String(repeating: "x", count: Self.addressLength)
        let whole = chat.content(text, inReplyTo: original).text + "\n" + address
        guard text.isEmpty || chat.canSend(whole, to: buddy) else { return false }
        draft = ""
        beginSending()
        Task {
            let problems = await uploads.send(drafts, text: text, inReplyTo: original, to: buddy)
            if problems.count == drafts.count, chat.has(id), !text.isEmpty {
                draft = draft.isEmpty ? text : "\(text)\n\(draft)"
                notify(.draft)
            }
            completion(problems)
        }
        return true
    }
}
