// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The files that a message shares (XEP-0447; also XEP-0385, and XEP-0066, which states the address alone).
enum FileSharing {
    static let namespace = "urn:xmpp:sfs:0"
    static let mediaSharing = "urn:xmpp:sims:1"
    private static let (addresses, references) = (
        "http://jabber.org/protocol/url-data", "urn:xmpp:reference:0"
    )
    /// The maximum number of sources of one file among which an address is looked for.
    private static let maximumSources = 32

    /// Returns the files of a message, each address once, in order.
    ///
    /// Other apps put the address of one of them into an element of XEP-0066, which counts only without the others.
    static func files(in message: Message) -> [SharedFile] {
        var files: [SharedFile] = []
        // Only the first has a thumbnail, so that a message stays small.
        for element in message.extensions.lazy.filter(isSharing).prefix(4 * MessageContent.maximumFiles) {
            guard files.count < MessageContent.maximumFiles else { break }
            guard var file = shared(element, in: message), !files.contains(where: { $0.url == file.url })
            else { continue }
            if files.contains(where: { $0.thumbnail != nil }) { file.thumbnail = nil }
            files.append(file)
        }
        if files.isEmpty, let file = OutOfBandData(in: message).flatMap({ SharedFile(received: $0.url) }) {
            return [file]
        }
        return files
    }

    /// Returns the thumbnail of the first file of a message, to be asked for; nil if there is none, or it is there.
    static func missingThumbnail(in message: Message) -> BitsOfBinary? {
        guard let element = message.extensions.first(where: isSharing),
            let file = element.child("file", FileMetadata.namespace)
                ?? element.child("media-sharing", mediaSharing)?.child("file", FileDescription.namespace)
        else { return nil }
        return FileMetadata(file).missingThumbnail(in: message)
    }

    /// Creates the elements that share a file of mine at an address.
    ///
    /// - Parameter range: The part of the body that is for apps that do not know this; nil for all of it.
    static func elements(of file: SharedFile, at url: String, range: Range<Int>?) -> [XMLElement] {
        let address = XMLElement("url-data", addresses, ["target": url])
        let sources = XMLElement("sources", namespace, [:], [address])
        return [
            XMLElement(
                "file-sharing", namespace, ["disposition": file.isPicture ? "inline" : "attachment"],
                [FileMetadata.element(of: file), sources]),
            range.map { FallbackIndication.element(.init($0, for: namespace)) }
                ?? FallbackIndication.whole(for: namespace),
        ]
    }

    private static func isSharing(_ element: XMLElement) -> Bool {
        element.isNamed("file-sharing", namespace) || element.isNamed("reference", references)
    }

    private static func shared(_ element: XMLElement, in message: Message) -> SharedFile? {
        if element.isNamed("file-sharing", namespace) {
            guard let file = element.child("file", FileMetadata.namespace) else { return nil }
            let sources = element.child("sources")?.children("url-data", addresses) ?? []
            return first(of: sources.prefix(maximumSources).compactMap { $0["target"] }, file, in: message)
        }
        guard element.isNamed("reference", references), element["type"] == "data",
            let sharing = element.child("media-sharing", mediaSharing),
            let file = sharing.child("file", FileDescription.namespace)
        else { return nil }
        let sources = sharing.child("sources")?.children("reference", references) ?? []
        return first(of: sources.prefix(maximumSources).compactMap { $0["uri"] }, file, in: message)
    }

    /// Returns the file at the first address that can be used.
    private static func first(of urls: [String], _ file: XMLElement, in message: Message) -> SharedFile? {
        guard
            let url = urls.first(where: { OutOfBandData(url: $0) != nil && SharedFile(received: $0) != nil })
        else { return nil }
        return FileMetadata(file).file(at: url, in: message)
    }
}
