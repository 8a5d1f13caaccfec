// SPDX-License-Identifier: GPL-3.0-or-later

// The path of a file of vCards, from bytes to contacts and back, for libFuzzer. build.sh compiles it into the module.

internal import TouchtoneCore

/// Runs one input: a file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVCards(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let data, count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let read = VCardFile.read(bytes) else { return 0 }
    for contact in read.contacts { check(contact) }
    for version in VCardVersion.allCases {
        // Properties without a place in a version are written in a different way, once.
        let once = again(read.contacts, version)
        precondition(once.map(told) == read.contacts.map(told), "what is written is read as something else")
        precondition(again(once, version) == once, "each time it is something else")
    }
    return 0
}

private func again(_ contacts: [NewContact], _ version: VCardVersion) -> [NewContact] {
    var file: [UInt8] = []
    for contact in contacts { VCardWriter.write(contact, version: version, to: &file) }
    let read = VCardFile.read(file)
    precondition((read?.unreadable ?? 0) == 0 && (read?.photosLeftOut ?? 0) == 0)
    return read?.contacts ?? []
}

/// Returns the data that the phone shows.
private func told(_ contact: NewContact) -> NewContact {
    var contact = contact
    contact.card.rest = ""
    return contact
}

private func check(_ contact: NewContact) {
    let card = contact.card
    precondition(!card.name.isEmpty && card.name.count <= ContactCard.maximumTextLength)
    precondition(card.note.count <= ContactCard.maximumNoteLength)
    precondition(
        card.methods.count <= ContactCard.maximumMethods && card.methods.allSatisfy { !$0.text.isEmpty })
    precondition(card.rest.utf8.count <= ContactCard.maximumRestLength)
    precondition(card.rest.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || $0.value >= 0x20 })
}
