// SPDX-License-Identifier: GPL-3.0-or-later

import CSIPShims
import Glibc

/// A session description (RFC 8866), divided into its media, of which liblinphone sees only the sound: it
/// would crash at some others.
struct MediaSections {
    /// The lines that are for all media.
    private var session: [Substring]
    private var media: [[Substring]]

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

    /// Passes only the sound to liblinphone, from now on.
    static func reduceAll() {
        sipshims_reduce_sessions(
            { text, isOffer, isOverTLS, layout in
                guard let text, let sections = MediaSections(String(cString: text)),
                    let place = isOffer ? sections.soundOfOffer(overTLS: isOverTLS) : sections.soundOfAnswer
                else { return nil }
                if let layout, let refused = sections.layout(around: place) {
                    layout.pointee = strdup(refused)
                }
                return strdup(sections.text(only: place))
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

    private func text(only place: Int) -> String {
        // It would name media that are gone (RFC 5888, RFC 9143).
        let session = session.filter { media.count == 1 || !$0.hasPrefix("a=group:") }
        var sound = media[place]
        let address = (session + sound).last { $0.hasPrefix("c=") }
        // Older phones hold a call so (RFC 3264, section 8.4). liblinphone would go on to send.
        if address?.hasSuffix(" 0.0.0.0") ?? false {
            let directions = ["a=sendrecv", "a=sendonly", "a=recvonly", "a=inactive"]
            let own = sound.last { directions.contains(String($0)) }
            let direction = own ?? session.last { directions.contains(String($0)) } ?? "a=sendrecv"
            sound.removeAll { directions.contains(String($0)) }
            sound.append(direction == "a=recvonly" || direction == "a=inactive" ? "a=inactive" : "a=sendonly")
        }
        return Self.text(session + sound)
    }

    /// Returns a line for each medium: a refusal, or empty for the sound; nil if there is only the sound.
    private func layout(around sound: Int) -> String? {
        guard media.count > 1 else { return nil }
        return media.indices.map { place in
            guard place != sound else { return "" }
            var fields = media[place][0].split(separator: " ", omittingEmptySubsequences: false)
            if fields.count > 1 { fields[1] = "0" }
            return fields.joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// Returns a text of the phone with the media that it refuses; nil if it has more than the sound.
    private func completed(by layout: String) -> String? {
        guard media.count == 1 else { return nil }
        let places = layout.split(separator: "\n", omittingEmptySubsequences: false)
        return Self.text(session + places.flatMap { $0.isEmpty ? media[0] : [$0] })
    }

    private static func text(_ lines: [Substring]) -> String { lines.map { $0 + "\r\n" }.joined() }

    private struct Medium {
        let isSound: Bool
        let port: Int
        let isRTP: Bool
        let isEncrypted: Bool
    }

    /// Reads the first line of a medium (RFC 8866, section 5.14).
    private static func medium(_ lines: [Substring]) -> Medium? {
        let fields = lines[0].dropFirst("m=".count).split(separator: " ")
        guard fields.count >= 4, let port = Int(fields[1].prefix { $0 != "/" }) else { return nil }
        let transport = fields[2].uppercased().split(separator: "/")
        return Medium(
            isSound: fields[0].lowercased() == "audio", port: port, isRTP: transport.contains("RTP"),
            isEncrypted: transport.contains("SAVP") || transport.contains("SAVPF"))
    }
}
