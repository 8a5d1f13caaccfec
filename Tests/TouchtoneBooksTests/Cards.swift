// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneBooks
import TouchtoneCore

let vCards = VCardCoder()

/// Returns a file of one card with these lines.
func card(_ lines: [String], version: String = "3.0") -> [UInt8] {
    file([["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD"]])
}

/// Returns a file of these lines.
func file(_ cards: [[String]]) -> [UInt8] {
    Array(cards.joined().map { $0 + "\r\n" }.joined().utf8)
}

/// Returns the only contact of a file.
func onlyContact(in bytes: [UInt8]) async throws -> NewContact? {
    let read = try await vCards.read(bytes)
    return read.contacts.count == 1 && read.unreadable == 0 ? read.contacts.first : nil
}

/// The shortest data that starts like a picture.
let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3, 0xFF, 0xD9]
let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 4, 5]
