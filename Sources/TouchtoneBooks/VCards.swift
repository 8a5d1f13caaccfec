// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// vCards by libebook-contacts, which is loaded when the first is read or written.
///
/// A file is read in pieces of a line, on a thread that ends with the work: no more memory is used than for the file, what
/// was read of it, and one line. A line that is longer than `LineScanner.longestLine`, a card of more than
/// `CardDraft.mostLines` lines, and a file of more than `CardFile.mostCards` cards are read so far.
public final class VCards: VCardCoding {
    private let library: BooksLibrary
    private let work = SerialWork { WorkThread.start("vcards", $0) }

    /// Creates it; nothing is loaded yet.
    public init(_ library: BooksLibrary) { self.library = library }

    /// Reads a file of vCards.
    public func read(_ bytes: [UInt8]) async throws(VCardError) -> VCardsRead {
        guard bytes.count <= VCardError.largestFile else { throw .tooLarge }
        return try await run { functions throws(VCardError) in
            guard let result = CardFile.read(bytes, by: functions) else { throw .noVCard }
            return result
        }
    }

    /// Writes contacts as one file.
    public func write(_ contacts: [NewContact], version: VCardVersion) async throws(VCardError) -> [UInt8] {
        try await run { functions in
            var file: [UInt8] = []
            for contact in contacts {
                CardWriting.write(contact, version: version, by: functions, to: &file)
            }
            return file
        }
    }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (BooksLibrary.Functions) throws(VCardError) -> Value
    ) async throws(VCardError) -> Value {
        let result: Result<Value, VCardError> = await withCheckedContinuation { continuation in
            work.add { [library] in
                do throws(BooksLibrary.Failure) {
                    let functions = try library.functions()
                    continuation.resume(
                        returning: Result { () throws(VCardError) in try body(functions) })
                } catch {
                    continuation.resume(returning: .failure(.unavailable(error.reason)))
                }
            }
        }
        return try result.get()
    }
}
