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
        let bytes: [UInt8]
        do throws(Files.Trouble) {
            bytes = try await Files.read(file.uri, maximum: PictureFile.maximumBytes)
        } catch {
            switch error {
            case .tooLarge: throw Problem(text: localized("This picture is too large."))
            case .failed(let reason):
                let line = PlainText.line(reason, maximum: 300)
                throw Problem(text: localized("The picture can’t be read: {reason}", ["reason": line]))
            }
        }
        guard
            let small = await PictureFile.shrunk(bytes, longest: longest, maximum: maximum, isPNG: isPNG)
        else { throw Problem(text: localized("This file isn’t a picture that Touchtone can use.")) }
        return small
    }
}
