// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import Glibc
internal import TouchtoneCore

/// The pictures of the desktop's contacts, which are in the vCard or, mostly, in a file beside the book.
enum EDSPhoto {
    /// Returns the picture that a vCard contains or links to.
    static func photo(in vCard: String) -> [UInt8]? {
        let draft = VCardContactBuilder(vCard: vCard)
        return draft.photo ?? draft.photoLink.flatMap(file)
    }

    /// Returns the picture at a `file:` link, or nil if it is not a regular file, too large or not a picture.
    private static func file(_ link: String) -> [UInt8]? {
        guard let name = g_filename_from_uri(link, nil, nil) else { return nil }
        defer { g_free(name) }
        // Opening a pipe would block until it has a writer.
        let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= ContactCard.maximumPhotoSize
        else { return nil }
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
            while count < size {
                let length = read(descriptor, room.baseAddress?.advanced(by: count), size - count)
                guard length > 0 else { break }
                count += length
            }
        }
        return VCardPhoto.isPhoto(bytes) ? bytes : nil
    }
}

extension VCardContactBuilder {
    init(vCard: String, wantsPhoto: Bool = true) {
        self.init(wantsPhoto: wantsPhoto)
        Array(vCard.utf8).withUnsafeBufferPointer { bytes in
            var lines = ContentLineScanner(bytes)
            while let line = lines.next() { add(line) }
        }
    }
}
