// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The decoded pictures of the conversation’s visible rows, and of a few others.
@MainActor
final class ShownPictures {
    /// The state of a picture.
    enum State {
        case decoding, undecodable
        case decoded(Picture)
    }

    /// Called with the path of a picture when it is decoded, or cannot be.
    var onDecoded: (@MainActor (String) -> Void)?
    private var pictures: [String: State] = [:]
    /// The paths, the one that was used last at the end.
    private var order: [String] = []

    /// The greatest number of decoded pictures: each takes up to a megabyte.
    private static let maximum = 16

    /// Returns the state of a picture, and decodes it if that has not been done.
    ///
    /// - Parameter scale: The number of screen pixels per layout pixel.
    func state(of path: String, scale: Int) -> State {
        order.removeAll { $0 == path }
        order.append(path)
        if let known = pictures[path] { return known }
        if order.count > Self.maximum { pictures[order.removeFirst()] = nil }
        pictures[path] = .decoding
        Task { [weak self] in
            let picture = await PictureLoader.load(path: path, maximumSide: FileView.side, scale: scale)
            guard let self, pictures[path] != nil else { return }
            pictures[path] = picture.map { .decoded($0) } ?? .undecodable
            onDecoded?(path)
        }
        return .decoding
    }

    /// Forgets all pictures, such as when the phone is locked.
    func forget() { (pictures, order) = ([:], []) }
}
