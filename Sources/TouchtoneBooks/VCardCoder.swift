// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
public import TouchtoneCore

/// Reads and writes vCards.
///
/// A file is read line by line, on a thread that ends with the work: no more memory is used than for the file, the
/// contacts and one line. Of a line that is longer than `ContentLineScanner.maximumLineLength`, a card of more than
/// `VCardContactBuilder.maximumLines` lines and a file of more than `VCardFile.maximumCards` cards the rest is left out.
public final class VCardCoder: VCardCoding {
    private let work = BackgroundThread("vcards")

    /// Creates a coder without a thread.
    public init() {}

    /// Reads a file of vCards.
    public func read(_ bytes: [UInt8]) async throws(VCardError) -> VCardReadResult {
        guard bytes.count <= VCardError.maximumFileSize else { throw .tooLarge }
        guard let result = await run({ VCardFile.read(bytes) }) else { throw .noVCard }
        return result
    }

    /// Writes contacts as one file.
    public func write(_ contacts: [NewContact], version: VCardVersion) async -> [UInt8] {
        await run {
            var file: [UInt8] = []
            for contact in contacts { VCardWriter.write(contact, version: version, to: &file) }
            return file
        }
    }

    private func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in work.add { continuation.resume(returning: body()) } }
    }
}
