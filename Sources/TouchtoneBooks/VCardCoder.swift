// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
public import TouchtoneCore

/// A coder that reads and writes vCards.
///
/// It reads a file line by line, on a thread that ends with the work, and needs only the memory for the file, the
/// contacts and one line. The rest of a line longer than `ContentLineScanner.maximumLineLength`, of a card with more
/// than `VCardContactBuilder.maximumLines` lines, and of a file with more than `VCardFile.maximumCards` cards is
/// skipped.
public final class VCardCoder: VCardCoding {
    private let work = BackgroundThread("vcards")

    public init() {}

    public func read(_ bytes: [UInt8]) async throws(VCardError) -> VCardReadResult {
        guard bytes.count <= VCardError.maximumFileSize else { throw .tooLarge }
        guard let result = await work.run({ VCardFile.read(bytes) }) else { throw .noVCard }
        return result
    }

    public func write(_ contacts: [NewContact], version: VCardVersion) async -> [UInt8] {
        await work.run {
            var file: [UInt8] = []
            for contact in contacts { VCardWriter.write(contact, version: version, to: &file) }
            return file
        }
    }
}
