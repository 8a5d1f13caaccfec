// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// Verification by a picture of the other side's code, which is chosen, dropped or pasted. It may be from anybody: another
// process reads it, and it only says what its link would say.
extension DevicesPopover {
    func choosePicture() {
        Task { [weak self, askFile] in
            guard let file = await askFile(PictureChoice.request) else { return }
            self?.read(file.uri)
        }
    }

    /// Reads what was dropped or pasted.
    func take(_ attachment: Attachment) {
        switch attachment {
        case .none: break
        case .tooLarge: tell(PictureChoice.Problem.tooLarge.text)
        case .picture(let bytes): read { () throws(PictureChoice.Problem) in bytes }
        case .files(let uris):
            guard uris.count == 1, let uri = uris.first else {
                return tell(localized("Choose one picture."))
            }
            read(uri)
        }
    }

    private func read(_ uri: String) {
        read { () async throws(PictureChoice.Problem) in try await PictureChoice.bytes(of: uri) }
    }

    /// Reads a picture, and compares the keys of its code, unless the user has gone on to something else meanwhile.
    private func read(_ bytes: @escaping @MainActor () async throws(PictureChoice.Problem) -> [UInt8]) {
        guard popover.isOpen else { return }
        tell(localized("Reading the picture…"))
        let asked = questionCount
        Task { [weak self] in
            let answer: Result<PictureCodes.Answer, PictureChoice.Problem>
            do throws(PictureChoice.Problem) {
                answer = .success(await PictureCodes.read(try await bytes()))
            } catch {
                answer = .failure(error)
            }
            guard let self, popover.isOpen, questionCount == asked, isAsking else { return }
            switch answer {
            case .success(let answer): show(answer)
            case .failure(let problem): tell(problem.text)
            }
        }
    }

    private func show(_ answer: PictureCodes.Answer) {
        do throws(PictureChoice.Problem) {
            let text = try PictureChoice.code(in: answer)
            guard let link = keyLink(text) else {
                return tell(localized("The QR code in this picture is not a link with keys."))
            }
            compare(link.keys, of: link.account)
        } catch {
            tell(error.text)
        }
    }
}
