// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The choice of a picture file, which is reduced for storing and sending it.
@MainActor
enum PictureChoice {
    /// The reason why a file cannot be used, as a sentence for the user.
    struct Problem: Error, Hashable {
        let text: String
    }

    static var request: FileDialog.Request {
        FileDialog.Request(
            opening: localized("Choose a Picture"),
            kind: FileDialog.Kind(
                localized("Pictures"), types: ["image/png", "image/jpeg", "image/gif", "image/webp"],
                allFiles: localized("All Files")))
    }

    /// Reads and reduces the chosen file, as `PictureFile.shrunk` does.
    static func read(_ file: FileDialog.Answer, longest: Int, maximum: Int, isPNG: Bool = false)
        async throws(Problem) -> [UInt8]
    {
        let bytes = try await bytes(of: file.uri)
        guard
            let small = await PictureFile.shrunk(bytes, longest: longest, maximum: maximum, isPNG: isPNG)
        else { throw .useless }
        return small
    }

    /// Reads a file, which may be no picture.
    static func bytes(of uri: String) async throws(Problem) -> [UInt8] {
        do throws(Files.Trouble) {
            return try await Files.read(uri, maximum: PictureFile.maximumBytes)
        } catch {
            switch error {
            case .tooLarge: throw .tooLarge
            case .noFile: throw .useless
            case .failed(let reason):
                let line = PlainText.line(reason, maximum: 300)
                throw Problem(text: localized("The picture can’t be read: {reason}", ["reason": line]))
            }
        }
    }
}

extension PictureChoice.Problem {
    static var tooLarge: Self { Self(text: localized("This picture is too large.")) }
    static var useless: Self { Self(text: localized("This file isn’t a picture that Touchtone can use.")) }
}
