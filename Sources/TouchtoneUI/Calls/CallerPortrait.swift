// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The picture of the contact or buddy who calls, in the display while ANSWER would answer the call.
@MainActor
final class CallerPortrait {
    private let phone: Phone
    private let pictures: CallerPictures
    private let display: DisplayView
    /// The source of the picture that is shown or read.
    private var caller: CallerPictures.Source?

    init(_ phone: Phone, _ pictures: CallerPictures, on display: DisplayView) {
        (self.phone, self.pictures, self.display) = (phone, pictures, display)
    }

    func show() {
        let ringing = phone.dialKey == .answer ? phone.calls.answerable : nil
        show(ringing.flatMap { pictures.source(of: $0.remote) })
    }

    func hide() { show(nil) }

    private func show(_ new: CallerPictures.Source?) {
        guard new != caller else { return }
        caller = new
        // The rows make room at once, and do not move when the picture has been read.
        display.show(portrait: nil, hasPlace: new != nil)
        guard let new else { return }
        Task { [weak self, pictures] in
            guard let file = await pictures.file(new), self?.caller == new else { return }
            Picture.read(file, side: DotPortrait.dots, scale: 1) { picture in
                guard let self, self.caller == new else { return }
                self.display.show(portrait: picture, hasPlace: true)
            }
        }
    }
}
