// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import TouchtoneCore
internal import TouchtoneOMEMO

/// The content of a file that comes in pieces, decrypted on its way to the disk if it is encrypted.
final class IncomingContent {
    private let file: PartialFile
    private let cipher: FileCipher?

    /// - Parameter key: The key of an encrypted file; nil for any other.
    init(of file: PartialFile, _ key: FileKey?) throws(FileTransferError) {
        self.file = file
        do throws(SessionError) {
            cipher = try key.map { key throws(SessionError) in try FileCipher(key, .decrypting) }
        } catch {
            throw .damaged
        }
    }

    func write(_ bytes: [UInt8]) throws(FileTransferError) {
        guard let cipher else { return try file.write(bytes) }
        let plain: [UInt8]
        do throws(SessionError) {
            plain = try cipher.update(bytes)
        } catch {
            throw .damaged
        }
        try file.write(plain)
    }

    /// Throws `.damaged` if an encrypted file was changed or cut off: nothing of it may be used.
    func finish() throws(FileTransferError) {
        do throws(SessionError) {
            _ = try cipher?.finish()
        } catch {
            throw .damaged
        }
    }
}

extension FileDescriptor {
    /// Encrypts the file with a new key, to a file without a name, and blocks.
    ///
    /// A copy is needed because an upload that is repeated must send the same bytes under the same key.
    func encrypted() throws(FileTransferError) -> (copy: FileDescriptor, key: FileKey) {
        let (key, block) = (FileKey(), Int64(1 << 18))
        let copy = try Self.temporary(
            in: Self.largeFolder, size: size + Int64(FileCipher.tagLength))
        let cipher: FileCipher
        do throws(SessionError) {
            cipher = try FileCipher(key, .encrypting)
        } catch {
            throw .unreadable
        }
        var done: Int64 = 0
        while done < size {
            let piece = try bytes(at: done, count: Int(min(block, size - done)))
            done += Int64(piece.count)
            try Self.write(
                Self.result { () throws(SessionError) in try cipher.update(piece) }, to: copy.number)
        }
        try Self.write(Self.result { () throws(SessionError) in try cipher.finish() }, to: copy.number)
        return (copy, key)
    }

    /// A folder on the disk: the one for temporary files may be in memory.
    private static let largeFolder = "/var/tmp"

    private static func result(_ body: () throws(SessionError) -> [UInt8]) throws(FileTransferError)
        -> [UInt8]
    {
        do throws(SessionError) {
            return try body()
        } catch {
            throw .unreadable
        }
    }
}
