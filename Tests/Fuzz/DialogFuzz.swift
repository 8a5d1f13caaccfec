// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads two documents about an extension, parted by a zero, and applies them one after the other.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDialogs(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: data, count: size)
    var table = DialogTable(of: "sip:102@example.org")
    for part in bytes.split(separator: 0, maxSplits: 1) {
        guard let document = DialogDocument(xml: UnsafeRawBufferPointer(rebasing: part)) else { continue }
        precondition(document.dialogs.count <= DialogDocument.maximumDialogs)
        _ = table.apply(document)
    }
    // Nothing of a document may begin another field.
    if let replaces = table.ringing?.replaces {
        precondition(!replaces.utf8.contains { $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: ",") })
        precondition(table.state == .ringing)
    }
    return 0
}
