// SPDX-License-Identifier: GPL-3.0-or-later

/// The messages that are kept, as the merge sees them: synchronous, on the store's own thread, in one transaction.
///
/// The program's is a database; the tests have one in memory, too.
public protocol MessageTable: AnyObject {
    /// The account whose conversations are meant, besides the exchange's; nil while there is none.
    var account: ChatAddress? { get }
    /// The message of a conversation that the archive names so.
    func message(of buddy: ChatAddress, archiveName: String) throws(StoreError) -> ChatMessage?
    /// The last message of a conversation that its sender, of that identity, named so.
    func message(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String) throws(StoreError)
        -> ChatMessage?
    /// The message of mine whose text goes out by the correction of that name.
    func message(of buddy: ChatAddress, correction name: String) throws(StoreError) -> ChatMessage?
    /// Whether a correction of that name by that sender was applied already.
    func hasCorrection(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String)
        throws(StoreError) -> Bool
    /// Notes a sender’s correction by its name.
    func noteCorrection(of buddy: ChatAddress, from sender: MessageSender.Identity, name: String)
        throws(StoreError)
    /// Keeps a new message: its `id` is not looked at, and is given by the table.
    func insert(_ message: ChatMessage) throws(StoreError) -> ChatMessage
    /// Keeps a message that is there already, as it is now.
    func update(_ message: ChatMessage) throws(StoreError)
    /// The least and the greatest place of a conversation; nil where it has no message.
    func places(of buddy: ChatAddress) throws(StoreError) -> ClosedRange<Int64>?
    /// The last message of a conversation before a place that the archive names; nil where it names none there.
    func lastArchived(of buddy: ChatAddress, before place: Int64) throws(StoreError) -> ChatMessage?
    /// My messages up to a place that have not come as far as `read`, and have not failed.
    func unreadByBuddy(_ buddy: ChatAddress, upTo place: Int64) throws(StoreError) -> [ChatMessage]
    /// The buddy's messages up to a place that I have not seen.
    func unreadByMe(_ buddy: ChatAddress, upTo place: Int64) throws(StoreError) -> [ChatMessage]
    /// How many messages of the buddy's I have not seen.
    func unreadCount(_ buddy: ChatAddress) throws(StoreError) -> Int
    /// Up to where the archive is known; nil if nothing of it.
    func archiveCursor() throws(StoreError) -> String?
    /// Notes up to where the archive is known.
    func setArchiveMark(_ name: String?) throws(StoreError)
}
