// SPDX-License-Identifier: GPL-3.0-or-later

// What another device sends, from bytes to sessions, keys, texts and links of files, for libFuzzer. build.sh compiles it into
// the module, with the keys in memory of Tests/OMEMOTestSupport.

internal import TouchtoneCore

/// Runs one input: a byte that says what it is, and its bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSessions(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let data, count > 1 else { return 0 }
    let (kind, bytes) = (data[0] % 5, ArraySlice(UnsafeBufferPointer(start: data + 1, count: count - 1)))
    MainActor.assumeIsolated {
        switch kind {
        case 0: Devices.shared.begin(with: bytes)
        case 1: Devices.shared.decrypt(bytes, isPreKey: true)
        case 2: Devices.shared.decrypt(bytes, isPreKey: false)
        case 3: openText(bytes)
        default: readLink(bytes)
        }
    }
    return 0
}

/// A device that has a session with another one, and what both had before the input.
@MainActor
private final class Devices {
    static let shared = Devices()
    private let own, known: TestDevice
    /// A device of which nothing is known.
    private let stranger = DeviceAddress(ChatAddress("mallory@localhost"), 9)
    private let before: MemoryKeyStorage.Content
    /// The next message of the known device, which is encrypted each time.
    private let knownBefore: MemoryKeyStorage.Content

    private init() {
        do {
            own = try TestDevice("grace@localhost", device: 7)
            known = try TestDevice("ada@localhost", device: 8)
            try known.begin(with: own)
            for key: [UInt8] in [[1, 2], [3, 4]] {
                _ = try own.decrypt(try known.encrypt(key, for: own), from: known)
                // From the answer on, its messages are not the first ones of a session any more.
                _ = try known.decrypt(try own.encrypt(key, for: known), from: own)
            }
        } catch {
            preconditionFailure("two devices do not understand each other: \(error)")
        }
        (before, knownBefore) = (own.storage.content, known.storage.content)
    }

    /// Begins a session with a published bundle, whose fields follow each other.
    func begin(with bytes: ArraySlice<UInt8>) {
        var rest = bytes
        let (identity, signedID) = (take(33, of: &rest), number(of: &rest))
        let (signed, signature) = (take(33, of: &rest), take(64, of: &rest))
        var preKeys: [KeyBundle.PreKey] = []
        while !rest.isEmpty {
            preKeys.append(KeyBundle.PreKey(id: number(of: &rest), key: take(33, of: &rest)))
        }
        let bundle = KeyBundle(
            identityKey: identity, signedPreKeyID: signedID, signedPreKey: signed, signature: signature,
            preKeys: preKeys)
        guard let bundle else { return }
        precondition(bundle.preKeys.count <= KeyBundle.maximumPreKeys && bundle.signature.count == 64)
        for device in [stranger, known.address] {
            tryIt { () throws(SessionError) in
                try own.engine.begin(with: device, bundle: bundle)
                // Whoever signed it: what follows is encrypted for that key, and only for it.
                precondition(own.storage.content.identityKeys[device] == bundle.identityKey)
                let message = try own.engine.encrypt([1], for: device)
                precondition(message.isPreKey, "a new session begins with another message")
            }
        }
    }

    /// Decrypts the key of a message, of a stranger and in a session.
    func decrypt(_ bytes: ArraySlice<UInt8>, isPreKey: Bool) {
        let key = EncryptedKey(bytes: Array(bytes), isPreKey: isPreKey)
        for device in [stranger, known.address] {
            tryIt { () throws(SessionError) in
                let text = try own.engine.decrypt(key, from: device)
                precondition(text.count <= bytes.count, "the text is longer than the message")
            }
        }
        // The known device goes on as if nothing had come.
        known.storage.content = knownBefore
        let text = (try? known.encrypt([5, 6], for: own)).flatMap { try? own.decrypt($0, from: known) }
        precondition(text == [5, 6], "the session is broken")
        own.storage.content = before
    }

    /// Checks that an operation leaves nothing behind if it fails, and forgets what it has changed if not.
    private func tryIt(_ body: () throws(SessionError) -> Void) {
        do throws(SessionError) {
            try body()
        } catch {
            precondition(own.storage.content == before, "\(error) has changed what is stored")
        }
        own.storage.content = before
    }

    private func take(_ count: Int, of rest: inout ArraySlice<UInt8>) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    private func number(of rest: inout ArraySlice<UInt8>) -> UInt32 {
        take(4, of: &rest).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Opens an encrypted text: the length of its vector, the vector, 32 bytes of a key and a tag, and the payload.
private func openText(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes.dropFirst()
    let vector = Array(rest.prefix(Int(bytes[bytes.startIndex])))
    rest = rest.dropFirst(vector.count)
    for length in [32, 16, 31] {
        let text = SealedText(
            iv: vector, payload: Array(rest.dropFirst(32)), keyAndTag: Array(rest.prefix(length))
        ).open()
        if let text { precondition(text.utf8.count <= rest.count, "the text is longer than the message") }
    }
}

private func readLink(_ bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let link = EncryptedFileLink(text) {
        precondition(EncryptedFileLink(link.text) == link, "a link changes when it is read again")
        precondition(!link.address.utf8.contains(UInt8(ascii: "#")), "the address has the key")
    }
    guard let file = SharedFile(encrypted: text) else { return }
    precondition(file.isEncrypted, "a link with a key is not one of an encrypted file")
}
