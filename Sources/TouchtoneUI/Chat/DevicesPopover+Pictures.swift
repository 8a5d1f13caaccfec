// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// Verification by a picture of the other side's code, which is chosen, dropped or pasted. It may be from anybody: another
// process reads it, and it only says what its link would say.
extension DevicesPopover {
    func choosePicture() {
        Task { [weak self, askFile] in
            guard let file = await askFile(PictureChoice.request) else { return }
            self?.read(.file(file.uri))
        }
    }

    /// Reads what was dropped or pasted.
    func take(_ attachment: Attachment) {
        do throws(PictureChoice.Problem) {
            if let picture = try PictureChoice.Source(attachment) { read(picture) }
        } catch {
            tell(error.text)
        }
    }

    /// Reads a picture, and compares the keys of its code, unless the user has gone on to something else meanwhile.
    private func read(_ picture: PictureChoice.Source) {
        guard popover.isOpen else { return }
        tell(localized("Reading the picture…"))
        let asked = questionCount
        Task { [weak self] in
            let answer: Result<String, PictureChoice.Problem>
            do throws(PictureChoice.Problem) {
                answer = .success(try await picture.code())
            } catch {
                answer = .failure(error)
            }
            guard let self, popover.isOpen, questionCount == asked, isAsking else { return }
            switch answer {
            case .success(let text): show(code: text)
            case .failure(let problem): tell(problem.text)
            }
        }
    }

    private func show(code text: String) {
        guard let link = keyLink(text) else {
            return tell(localized("The QR code in this picture is not a link with keys."))
        }
        compare(link.keys, of: link.account)
    }
}
