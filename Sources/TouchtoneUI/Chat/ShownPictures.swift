// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The decoded pictures of the conversation’s visible rows, and of a few others.
@MainActor
final class ShownPictures {
    enum Source: Hashable {
        /// The absolute path of a file.
        case path(String)
        /// A file in Base64.
        case thumbnail(String)
    }

    enum State {
        case decoding, undecodable
        case decoded(Picture)
    }

    /// Called with the source of a picture when it is decoded, or cannot be.
    var onDecoded: (@MainActor (Source) -> Void)?
    private var pictures: [Source: (side: Int, state: State)] = [:]
    /// The sources, the one that was used last at the end.
    private var order: [Source] = []

    /// The maximum number of decoded pictures, and of their pixels at the scale 1.
    private static let (maximum, maximumPixels) = (64, 16 * 500 * 500)

    /// Returns the state of a picture, and decodes it for a new size; until then, the old size is shown.
    ///
    /// `side` is in layout pixels, `scale` in screen pixels per layout pixel.
    func state(of source: Source, side: Int, scale: Int) -> State {
        order.removeAll { $0 == source }
        order.append(source)
        let before = pictures[source]
        if let before, before.side == side { return before.state }
        let state = before?.state ?? .decoding
        pictures[source] = (side, state)
        trim()
        Task { [weak self] in
            let picture = await Self.load(source, side: side, scale: scale)
            guard let self, pictures[source]?.side == side else { return }
            pictures[source]?.state = picture.map { .decoded($0) } ?? .undecodable
            onDecoded?(source)
        }
        return state
    }

    func forget() { (pictures, order) = ([:], []) }

    private func trim() {
        var pixels = pictures.values.reduce(0) { $0 + $1.side * $1.side }
        while order.count > 1, order.count > Self.maximum || pixels > Self.maximumPixels {
            let side = pictures.removeValue(forKey: order.removeFirst())?.side ?? 0
            pixels -= side * side
        }
    }

    private static func load(_ source: Source, side: Int, scale: Int) async -> Picture? {
        switch source {
        case .path(let path): await PictureLoader.load(path: path, maximumSide: side, scale: scale)
        case .thumbnail(let text): await PictureLoader.load(base64: text, maximumSide: side, scale: scale)
        }
    }
}
