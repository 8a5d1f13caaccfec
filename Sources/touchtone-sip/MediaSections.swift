// SPDX-License-Identifier: GPL-3.0-or-later

import CSIPShims
import Glibc
import Synchronization

/// A session description (RFC 8866), divided into its media, of which liblinphone sees only the sound and real-time text: it
/// would crash at some others.
struct MediaSections {
    /// The lines that are for all media.
    private var session: [Substring]
    private var media: [[Substring]]

    /// Whether offered text is taken; liblinphone takes all that it sees.
    static var takesText: Bool {
        get { allowsText.load(ordering: .relaxed) }
        set { allowsText.store(newValue, ordering: .relaxed) }
    }
    private static let allowsText = Atomic(true)

    private static let maximumMedia = 64
    /// The greatest length of a medium's first line, which has up to 128 payload types: belle-sip would need
    /// a second each time that it reads 30,000.
    private static let maximumLength = 1_024

    /// Divides a text into its media; nil if it has none, too many, one that is too long, or no origin in its
    /// place, without which liblinphone crashes.
    init?(_ text: String) {
        // Some phones leave the name empty, which is no session for liblinphone (RFC 8866, section 5.3).
        let lines = text.split { $0 == "\r\n" || $0 == "\n" || $0 == "\r" }.map { $0 == "s=" ? "s=-" : $0 }
        let starts = lines.indices.filter { lines[$0].hasPrefix("m=") }
        guard let first = starts.first, starts.count <= Self.maximumMedia,
            starts.allSatisfy({ lines[$0].utf8.count <= Self.maximumLength })
        else { return nil }
        session = Array(lines[..<first])
        guard session.count > 1, session[0].hasPrefix("v="), Self.isOrigin(session[1]) else { return nil }
        media = zip(starts, starts.dropFirst() + [lines.endIndex]).map { Array(lines[$0..<$1]) }
    }

    /// Returns whether a line is an origin (RFC 8866, section 5.2).
    private static func isOrigin(_ line: Substring) -> Bool {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false)
        return fields.count == 6 && fields[0].hasPrefix("o=") && fields[0].count > 2
            && fields[1...2].allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
            && fields[3...].allSatisfy { !$0.isEmpty }
    }

    /// Passes only the sound and real-time text to liblinphone, from now on.
    static func reduceAll() {
        sipshims_reduce_sessions(
            { text, isOffer, isOverTLS, layout in
                guard let text, let sections = MediaSections(String(cString: text)),
                    let sound = isOffer ? sections.soundOfOffer(overTLS: isOverTLS) : sections.soundOfAnswer
                else { return nil }
                let place = sections.placeOfText
                if let layout, let refused = sections.layout(sound: sound, text: place) {
                    layout.pointee = strdup(refused)
                }
                let isTaken = !isOffer || MediaSections.takesText
                return strdup(sections.text(sound: sound, text: place, isTaken: isTaken))
            },
            { text, layout in
                guard let text, let layout, let sections = MediaSections(String(cString: text)) else {
                    return nil
                }
                return sections.completed(by: String(cString: layout)).flatMap { strdup($0) }
            })
    }

    /// The place of the sound that an answer accepts, or else of one that it refuses; nil if there is none.
    private var soundOfAnswer: Int? {
        media.firstIndex { Self.medium($0).map { $0.isSound && $0.port != 0 } ?? false }
            ?? media.firstIndex { Self.medium($0)?.isSound ?? false }
    }

    /// Returns the place of the sound that the phone takes of an offer; nil if there is none.
    ///
    /// Some phones offer one sound with encryption and the same without (RFC 3264 gives no rule). The one with encryption is
    /// taken if its keys were protected on the way (RFC 4568, section 7) or are agreed on later (DTLS, RFC 5764).
    private func soundOfOffer(overTLS isOverTLS: Bool) -> Int? {
        let places = media.indices.filter {
            Self.medium(media[$0]).map { $0.isSound && $0.port != 0 && $0.isRTP } ?? false
        }
        return places.first { place in
            let isEncrypted = Self.medium(media[place])?.isEncrypted ?? false
            return isEncrypted
                && (isOverTLS || (session + media[place]).contains { $0.hasPrefix("a=fingerprint:") })
        } ?? places.first { !(Self.medium(media[$0])?.isEncrypted ?? false) } ?? places.first
    }

    /// The place of the real-time text (RFC 4103); nil if there is none.
    private var placeOfText: Int? {
        media.firstIndex { Self.medium($0).map { $0.isText && $0.isRTP } ?? false }
    }

    /// Returns whether text can be taken beside a sound: it is protected as the sound is, and liblinphone knows its format.
    private func isUsable(text: Int, besides sound: Int) -> Bool {
        Self.medium(media[text])?.transport == Self.medium(media[sound])?.transport
            && media[text].contains {
                $0.lowercased().hasPrefix("a=rtpmap:") && $0.lowercased().hasSuffix(" t140/1000")
            }
    }

    /// Returns the text of a session with the sound, and behind it the real-time text, which is refused if it cannot be taken.
    private func text(sound: Int, text: Int?, isTaken: Bool) -> String {
        // It would name media that are gone (RFC 5888, RFC 9143).
        let session = session.filter { media.count == 1 || !$0.hasPrefix("a=group:") }
        let taken =
            text.map { place in
                isTaken && isUsable(text: place, besides: sound)
                    ? heldIfNowhere(media[place]) : [Substring(Self.refusal(of: media[place]))]
            } ?? []
        return Self.text(session + heldIfNowhere(media[sound]) + taken)
    }

    /// Returns the lines of a medium, which is held if its address is 0.0.0.0.
    ///
    /// Older phones hold a call so (RFC 3264, section 8.4). liblinphone would go on to send.
    private func heldIfNowhere(_ medium: [Substring]) -> [Substring] {
        guard (session + medium).last(where: { $0.hasPrefix("c=") })?.hasSuffix(" 0.0.0.0") ?? false else {
            return medium
        }
        let directions = ["a=sendrecv", "a=sendonly", "a=recvonly", "a=inactive"]
        let direction =
            medium.last { directions.contains(String($0)) }
            ?? session.last { directions.contains(String($0)) } ?? "a=sendrecv"
        return medium.filter { !directions.contains(String($0)) }
            + [direction == "a=recvonly" || direction == "a=inactive" ? "a=inactive" : "a=sendonly"]
    }

    /// Returns the first line of a medium, with the port that refuses it.
    private static func refusal(of medium: [Substring]) -> String {
        var fields = medium[0].split(separator: " ", omittingEmptySubsequences: false)
        if fields.count > 1 { fields[1] = "0" }
        return fields.joined(separator: " ")
    }

    /// Returns a line for each medium: a refusal, which a space marks if the phone may have text in its place, or empty for
    /// the sound; nil if there is only the sound.
    private func layout(sound: Int, text: Int?) -> String? {
        guard media.count > 1 else { return nil }
        return media.indices.map { place in
            place == sound ? "" : (place == text ? " " : "") + Self.refusal(of: media[place])
        }.joined(separator: "\n")
    }

    /// Returns a text of the phone with the media that it refuses; nil if it has others than sound and text.
    ///
    /// Text that the phone has added comes last (RFC 3264, section 8.1).
    private func completed(by layout: String) -> String? {
        let hasOthers = media.count > (placeOfText == 1 ? 2 : 1)
        guard Self.medium(media[0])?.isSound ?? false, !hasOthers else { return nil }
        let places = layout.split(separator: "\n", omittingEmptySubsequences: false)
        let added = places.contains { $0.hasPrefix(" ") } ? [] : media.dropFirst()
        return Self.text(
            session
                + places.flatMap { place in
                    if place.isEmpty { return media[0] }
                    let isText = place.hasPrefix(" ") && media.count == 2
                    return isText ? media[1] : [place.drop { $0 == " " }]
                } + added.flatMap(\.self))
    }

    private static func text(_ lines: [Substring]) -> String { lines.map { $0 + "\r\n" }.joined() }

    private struct Medium {
        let isSound: Bool
        let isText: Bool
        let port: Int
        /// The parts of its transport, such as `RTP` and `SAVP`.
        let transport: [String]
        var isRTP: Bool { transport.contains("RTP") }
        var isEncrypted: Bool { transport.contains("SAVP") || transport.contains("SAVPF") }
    }

    /// Reads the first line of a medium (RFC 8866, section 5.14).
    private static func medium(_ lines: [Substring]) -> Medium? {
        let fields = lines[0].dropFirst("m=".count).split(separator: " ")
        guard fields.count >= 4, let port = Int(fields[1].prefix { $0 != "/" }) else { return nil }
        return Medium(
            isSound: fields[0].lowercased() == "audio", isText: fields[0].lowercased() == "text", port: port,
            transport: fields[2].uppercased().split(separator: "/").map(String.init))
    }
}
