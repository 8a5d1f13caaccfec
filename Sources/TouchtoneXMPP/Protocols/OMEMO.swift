// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Encryption between devices (XEP-0384 version 0.3, which all clients speak).
enum OMEMO {
    static let namespace = "eu.siacs.conversations.axolotl"
    /// The node with the list of an account’s devices.
    static let devices = namespace + ".devicelist"
    /// The greatest number of devices that are read in a list, and of keys in a message.
    static let maximumDevices = 1000

    /// The node with the public keys of a device.
    static func bundle(of device: UInt32) -> String { "\(namespace).bundles:\(device)" }

    /// Returns the encrypted part of a message; nil if it has none.
    static func encrypted(in message: Message) -> XMLElement? { message.extension(namespace, "encrypted") }

    /// The parts of a message that encrypts a text, besides those that say what it is for.
    static func elements(of sealed: SealedMessage) -> [XMLElement] {
        let keys = sealed.keys.map { key in
            XMLElement(
                "key", namespace,
                ["rid": String(key.device), "prekey": key.isPreKey ? "true" : nil],
                text: Base64.encode(key.bytes))
        }
        let vector = XMLElement("iv", namespace, text: Base64.encode(sealed.vector))
        let header = XMLElement("header", namespace, ["sid": String(sealed.device)], keys + [vector])
        let payload = sealed.payload.map { XMLElement("payload", namespace, text: Base64.encode($0)) }
        let encrypted = XMLElement("encrypted", namespace, [:], [header] + [payload].compactMap { $0 })
        // Without a text, servers neither archive nor copy a message unless it asks them to (XEP-0334).
        let store = XMLElement("store", "urn:xmpp:hints")
        guard payload != nil else { return [encrypted, store] }
        let mark = XMLElement(
            "encryption", ExplicitEncryption.namespace, ["namespace": namespace, "name": "OMEMO"])
        return [encrypted, mark, store]
    }

    // MARK: Devices

    static func list(_ devices: [UInt32]) -> XMLElement {
        XMLElement(
            "list", namespace, [:],
            devices.map { XMLElement("device", namespace, ["id": String($0)]) })
    }

    /// Returns the devices in the items of a node, the current one of which counts; nil if it is none.
    static func devices(in items: [PubSub.Item]) -> [UInt32]? {
        guard let payload = (items.first { $0.id == "current" } ?? items.last)?.payload,
            payload.isNamed("list", namespace)
        else { return nil }
        var seen: Set<UInt32> = []
        return payload.children("device").prefix(maximumDevices).compactMap { device in
            guard let id = device["id"].flatMap({ UInt32($0) }), DeviceAddress.isValid(id),
                seen.insert(id).inserted
            else { return nil }
            return id
        }
    }

    // MARK: Bundles

    static func element(of bundle: KeyBundle) -> XMLElement {
        let preKeys = bundle.preKeys.map { key in
            XMLElement(
                "preKeyPublic", namespace, ["preKeyId": String(key.id)], text: Base64.encode(key.key))
        }
        return XMLElement(
            "bundle", namespace, [:],
            [
                XMLElement(
                    "signedPreKeyPublic", namespace, ["signedPreKeyId": String(bundle.signedPreKeyID)],
                    text: Base64.encode(bundle.signedPreKey)),
                XMLElement("signedPreKeySignature", namespace, text: Base64.encode(bundle.signature)),
                XMLElement("identityKey", namespace, text: Base64.encode(bundle.identityKey)),
                XMLElement("prekeys", namespace, [:], preKeys),
            ])
    }

    /// Returns the keys in the items of a node; nil if they are not those of a device.
    static func bundle(in items: [PubSub.Item]) -> KeyBundle? {
        guard let payload = (items.first { $0.id == "current" } ?? items.last)?.payload,
            payload.isNamed("bundle", namespace), let identity = bytes(in: payload.child("identityKey")),
            let signed = payload.child("signedPreKeyPublic"), let signedKey = bytes(in: signed),
            let signedID = signed["signedPreKeyId"].flatMap({ UInt32($0) }),
            let signature = bytes(in: payload.child("signedPreKeySignature"))
        else { return nil }
        let all = payload.child("prekeys")?.children("preKeyPublic") ?? []
        let preKeys = all.prefix(KeyBundle.maximumPreKeys).compactMap { element -> KeyBundle.PreKey? in
            guard let id = element["preKeyId"].flatMap({ UInt32($0) }), let key = bytes(in: element),
                key.count == 33
            else { return nil }
            return KeyBundle.PreKey(id: id, key: key)
        }
        return KeyBundle(
            identityKey: identity, signedPreKeyID: signedID, signedPreKey: signedKey,
            signature: signature, preKeys: preKeys)
    }

    /// Returns the bytes in Base64, which may contain line breaks.
    static func bytes(in element: XMLElement?) -> [UInt8]? {
        element.flatMap { Base64.decode(String($0.text.filter { !$0.isWhitespace })) }
    }
}

extension SealedMessage {
    /// The greatest length of the key for a device, in bytes.
    private static let maximumKey = 4096

    /// Reads an encrypted part; nil if it is none.
    init?(_ element: XMLElement) {
        guard element.isNamed("encrypted", OMEMO.namespace), let header = element.child("header"),
            let device = header["sid"].flatMap({ UInt32($0) }), DeviceAddress.isValid(device)
        else { return nil }
        let keys = header.children("key").prefix(OMEMO.maximumDevices).compactMap { key -> Key? in
            guard let id = key["rid"].flatMap({ UInt32($0) }), let bytes = OMEMO.bytes(in: key),
                !bytes.isEmpty, bytes.count <= Self.maximumKey
            else { return nil }
            let isPreKey = ["true", "1"].contains(key["prekey"])
            return Key(device: id, bytes: bytes, isPreKey: isPreKey)
        }
        var payload: [UInt8]?
        if let element = element.child("payload") {
            guard let bytes = OMEMO.bytes(in: element) else { return nil }
            payload = bytes
        }
        let vector = OMEMO.bytes(in: header.child("iv")) ?? []
        guard payload == nil || vector.count == 12 || vector.count == 16 else { return nil }
        self.init(device: device, keys: keys, vector: vector, payload: payload)
    }
}
