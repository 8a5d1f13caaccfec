// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// Reads a document that offers accounts, from its bytes to the accounts.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSetups(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    guard let document = JSONDocument.read(bytes), let setup = try? AccountSetup(document) else { return 0 }
    precondition((1...10).contains(setup.accounts.count))
    for account in setup.accounts {
        let address = account.address
        precondition(!address.isEmpty && address.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        switch account {
        case .sip(let setup):
            // What is read once is what the phone reads again.
            precondition((try? SIPURI(setup.address))?.text == setup.address)
            precondition(setup.expiry.map { (60...86_400).contains($0) } ?? true)
            precondition(setup.voicemail.isEmpty || RemoteParty(entered: setup.voicemail) != nil)
        case .jabber(let setup):
            precondition(setup.details.address.contains("@"))
            precondition(setup.details.port == 0 || !setup.details.host.isEmpty)
        }
    }
    return 0
}
