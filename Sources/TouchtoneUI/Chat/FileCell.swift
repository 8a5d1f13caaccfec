// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The contents of a file’s card in a balloon.
struct FileCell {
    enum Key: Hashable, CaseIterable {
        case show, play, pause, open, save, retry, cancel
    }

    let name: String
    /// The line below the name: the host, the size, the progress, or the reason of a failure.
    private(set) var detail: String
    /// Whether the detail is the reason of a failure.
    var isProblem = false
    let isPicture: Bool
    let iconName: String
    /// The progress of the transfer: nil without one, negative if its end is not known.
    var fraction: Double?
    var keys: [Key]
    /// The path of the picture to show in place of the card; nil for none.
    var picturePath: String?
    /// The picture at that path; nil until it is decoded.
    var picture: Picture?
    /// A sound that can be played in place of the card; nil for none.
    var sound: VoiceView.Content?
    /// The small copy of a picture that is not there yet, as a file in Base64; nil for none.
    let thumbnailText: String?
    /// That small copy; nil until it is decoded.
    var thumbnail: Picture?

    /// - Returns: Nil if the message has no file.
    @MainActor
    init?(
        _ message: ChatMessage, uploads: FileUploads?, downloads: FileDownloads?, voice: VoiceMessages? = nil
    ) {
        guard let file = message.file else { return nil }
        let state = downloads?.state(of: file) ?? .absent
        name = PlainText.line(file.name, maximum: 120)
        (isPicture, iconName) = (file.isPicture, Self.iconName(of: file))
        if isPicture, case .present(let path) = state { picturePath = path }
        thumbnailText =
            isPicture && downloads?.showsThumbnail(of: message) == true ? file.thumbnail : nil
        let size = downloads?.size(of: file) ?? file.size
        let place = [PlainText.line(file.host, maximum: 80), size.map(localizedSize) ?? ""]
            .filter { !$0.isEmpty }.joined(separator: " · ")
        if message.needsUpload {
            keys = [.cancel]
            guard message.state == .waiting else {
                detail = place
                return
            }
            guard uploads?.isOffered(message) != true else {
                detail = localized("Waiting for the buddy to accept the file")
                return
            }
            let progress = uploads?.progress(of: message)
            detail = progress.map { Self.sending($0) } ?? localized("Waiting to be sent")
            fraction = progress.map { $0.fraction ?? -1 }
            return
        }
        switch state {
        case .unknown:
            (detail, keys) = (place, [])
        case .absent:
            (detail, keys) = (place, isPicture ? [.show, .save] : [.open, .save])
            // The sender waits for the answer.
            if file.isOffer { keys = [.save, .cancel] }
        case .loading(let progress):
            (detail, keys) = (Self.receiving(progress), [.cancel])
            fraction = progress.fraction ?? -1
        case .present:
            (detail, keys) = (place, [.open, .save])
        case .failed(let reason):
            // Only the sender can repeat an offer.
            (detail, isProblem, keys) = (reason, true, file.isOffer ? [] : [.retry, .save])
        }
        if file.isSound, let voice { showSound(file, state, voice, of: message.id) }
    }

    /// Replaces “Open” by “Play”, and the card by the cassette.
    @MainActor
    private mutating func showSound(
        _ file: SharedFile, _ state: FileDownloads.State, _ voice: VoiceMessages, of message: Int64
    ) {
        guard let index = keys.firstIndex(of: .open) else { return }
        keys[index] = .play
        var content = VoiceView.Content()
        // The name of a voice message says nothing.
        content.name = file.isVoice ? nil : name
        if case .present(let path) = state, let overview = voice.overviews.overview(of: path) {
            (content.levels, content.length) = (overview.levels, overview.length)
        } else {
            content.detail = detail
        }
        if let playback = voice.playback(of: .message(message)) {
            (content.length, content.position) = (playback.length, playback.position)
            content.isPlaying = !playback.isPaused
            keys[index] = playback.isPaused ? .play : .pause
        }
        sound = content
    }

    /// Says that the picture cannot be decoded, or is larger than may be shown.
    mutating func markUndecodable() {
        (detail, keys) = (localized("This picture can’t be shown."), [.open, .save])
    }

    private static func iconName(of file: SharedFile) -> String {
        if file.isPicture { return "image-x-generic-symbolic" }
        return file.isSound ? "audio-x-generic-symbolic" : "text-x-generic-symbolic"
    }

    private static func sending(_ progress: FileProgress) -> String {
        guard let size = progress.size else { return localized("Sending…") }
        return localized(
            "Sending: {done} of {size}",
            ["done": localizedSize(progress.done), "size": localizedSize(size)])
    }

    private static func receiving(_ progress: FileProgress) -> String {
        guard let size = progress.size else {
            return progress.done == 0
                ? localized("Downloading…")
                : localized("Downloading: {done}", ["done": localizedSize(progress.done)])
        }
        return localized(
            "Downloading: {done} of {size}",
            ["done": localizedSize(progress.done), "size": localizedSize(size)])
    }
}

extension FileCell.Key {
    var label: String {
        switch self {
        case .show: localizedIn("verb", "Show")
        case .play: localizedIn("verb", "Play")
        case .pause: localizedIn("verb", "Pause")
        case .open: localizedIn("verb", "Open")
        case .save: localized("Save…")
        case .retry: localized("Retry")
        case .cancel: localized("Cancel")
        }
    }

    /// The accessible name of the key; nil for its label.
    var accessibleName: String? { self == .show ? localized("Show Picture") : nil }
}
