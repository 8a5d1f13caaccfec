// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The decoded pictures of the conversation’s visible rows, and of a few others.
@MainActor
final class ShownPictures {
    enum State {
        case decoding, undecodable
        case decoded(Picture)
    }

    /// Called with the path of a picture when it is decoded, or cannot be.
    var onDecoded: (@MainActor (String) -> Void)?
    private var pictures: [String: (side: Int, state: State)] = [:]
    /// The paths, the one that was used last at the end.
    private var order: [String] = []

    /// The greatest number of decoded pictures: each takes up to a megabyte, or four at the scale 2.
    private static let maximum = 16

    /// Returns the state of a picture, and decodes it for a new size; until then, the old size is shown.
    ///
    /// `side` is in layout pixels, `scale` in screen pixels per layout pixel.
    func state(of path: String, side: Int, scale: Int) -> State {
        order.removeAll { $0 == path }
        order.append(path)
        let before = pictures[path]
        if let before, before.side == side { return before.state }
        if order.count > Self.maximum { pictures[order.removeFirst()] = nil }
        let state = before?.state ?? .decoding
        pictures[path] = (side, state)
        Task { [weak self] in
            let picture = await PictureLoader.load(path: path, maximumSide: side, scale: scale)
            guard let self, pictures[path]?.side == side else { return }
            pictures[path]?.state = picture.map { .decoded($0) } ?? .undecodable
            onDecoded?(path)
        }
        return state
    }

    func forget() { (pictures, order) = ([:], []) }
}
