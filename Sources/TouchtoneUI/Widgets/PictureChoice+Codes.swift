// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension PictureChoice {
    /// Returns the text of the only QR code in a picture, or throws what is wrong with the picture.
    static func code(in answer: PictureCodes.Answer) throws(Problem) -> String {
        switch answer {
        case .unreadable: throw .useless
        case .noLibrary:
            throw Problem(
                text: localized("Codes in pictures can’t be read, because libzbar0 is not installed."))
        case .texts(let texts):
            guard let text = texts.first else {
                throw Problem(
                    text: localized(
                        "No QR code was found in this picture. It should show the whole code, sharp and with a light margin."
                    ))
            }
            guard texts.count == 1 else {
                throw Problem(
                    text: localized(
                        "There are several QR codes in this picture. Choose one with a single code."))
            }
            return text
        }
    }
}
