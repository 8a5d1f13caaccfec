// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension PictureChoice {
    /// A picture that was chosen, dropped or pasted, and is not read yet.
    enum Source: Hashable, Sendable {
        case file(String)
        case bytes([UInt8])

        /// Chooses the picture of what was dropped or pasted: nil if there is none; throws if there is more than one.
        init?(_ attachment: Attachment) throws(Problem) {
            switch attachment {
            case .none: return nil
            case .tooLarge: throw .tooLarge
            case .picture(let bytes): self = .bytes(bytes)
            case .files(let uris):
                guard uris.count == 1, let uri = uris.first else {
                    throw Problem(text: localized("Choose one picture."))
                }
                self = .file(uri)
            }
        }

        /// Reads the picture in another process, and returns the text of its only QR code.
        @MainActor
        func code() async throws(Problem) -> String {
            switch self {
            case .bytes(let bytes): try PictureChoice.code(in: await PictureCodes.read(bytes))
            case .file(let uri):
                try PictureChoice.code(in: await PictureCodes.read(try await PictureChoice.bytes(of: uri)))
            }
        }
    }
}
