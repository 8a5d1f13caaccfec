// SPDX-License-Identifier: GPL-3.0-or-later

import CExpat

extension DialogDocument {
    /// Reads a document; nil if it is too long, not well formed, of another kind, or has a document type.
    public init?(xml: UnsafeRawBufferPointer) {
        guard xml.count <= Self.maximumSize, let reader = DialogReader(), reader.read(xml),
            let document = reader.document
        else { return nil }
        self = document
    }
}

/// A reader of one document, based on expat.
private final class DialogReader {
    /// The document, with all dialogs that were read; nil before its first element.
    private(set) var document: DialogDocument?
    private let parser: OpaquePointer
    /// The names of the elements that are open; empty for those of other namespaces.
    private var path: [String] = []
    private var dialog: Dialog?
    private var text: [UInt8]?
    /// Whether the dialog has an element with its state.
    private var isStateKnown = false
    private var hasFailed = false

    private static let separator: Character = "|"
    private static let namespace = "urn:ietf:params:xml:ns:dialog-info|"
    private static let maximumDepth = 16

    init?() {
        guard let parser = XML_ParserCreateNS(nil, XML_Char(Self.separator.asciiValue ?? 0)) else {
            return nil
        }
        self.parser = parser
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in
                if let reader = DialogReader.of(data), let name {
                    reader.begin(String(cString: name), attributes)
                }
            },
            { data, _ in DialogReader.of(data)?.end() })
        XML_SetCharacterDataHandler(parser) { data, text, count in
            DialogReader.of(data)?.append(UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
        // Without a document type there are no entities but those of XML itself.
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in DialogReader.of(data)?.fail() }
    }

    deinit { XML_ParserFree(parser) }

    /// Reads a whole document; returns whether it is well formed and of the kind.
    func read(_ xml: UnsafeRawBufferPointer) -> Bool {
        let bytes = xml.assumingMemoryBound(to: CChar.self).baseAddress
        return XML_Parse(parser, bytes, Int32(xml.count), 1) == XML_STATUS_OK && !hasFailed
    }

    /// Returns the reader in expat's user data; nil for the calls that expat may still make after a stop.
    private static func of(_ data: UnsafeMutableRawPointer?) -> DialogReader? {
        guard let data else { return nil }
        let reader = Unmanaged<DialogReader>.fromOpaque(data).takeUnretainedValue()
        return reader.hasFailed ? nil : reader
    }

    private func fail() {
        hasFailed = true
        XML_StopParser(parser, 0)
    }

    private func begin(_ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        guard path.count < Self.maximumDepth else { return fail() }
        let isOwn = name.hasPrefix(Self.namespace)
        path.append(isOwn ? String(name.dropFirst(Self.namespace.count)) : "")
        text = nil
        let values = Attributes(attributes)
        switch path {
        case ["dialog-info"]: begin(values)
        case ["dialog-info", "dialog"]: beginDialog(values)
        case ["dialog-info", "dialog", "state"]: text = []
        case ["dialog-info", "dialog", "remote", "identity"]:
            dialog?.remoteName = values["display"]
            text = []
        case ["dialog-info", "dialog", "remote", "target"]: dialog?.target = values["uri"]
        default: if path.count == 1 { fail() }
        }
    }

    private func begin(_ values: Attributes) {
        let (version, state) = (values["version"], values["state"])
        // More digits would be no number of an integer.
        guard version.utf8.allSatisfy({ (0x30...0x39).contains($0) }), version.utf8.count < 19,
            let number = Int(version), state == "full" || state == "partial"
        else { return fail() }
        document = DialogDocument(
            version: number, isFull: state == "full", entity: values["entity"], dialogs: [])
    }

    private func beginDialog(_ values: Attributes) {
        guard (document?.dialogs.count ?? 0) < DialogDocument.maximumDialogs, !values["id"].isEmpty else {
            return dialog = nil
        }
        // It has no state before its own element.
        dialog = Dialog(
            id: values["id"], state: .terminated, isInitiator: values["direction"] == "initiator",
            callID: values["call-id"], localTag: values["local-tag"], remoteTag: values["remote-tag"])
        isStateKnown = false
    }

    private func append(_ piece: UnsafeRawBufferPointer) {
        guard let length = text?.count, length <= DialogDocument.maximumLength else { return }
        text?.append(contentsOf: piece)
    }

    private func end() {
        let value = text.map(Self.trimmed) ?? ""
        switch path {
        case ["dialog-info", "dialog", "state"]:
            guard let state = Dialog.State(rawValue: value) else { break }
            dialog?.state = state
            isStateKnown = true
        case ["dialog-info", "dialog", "remote", "identity"]: dialog?.remote = value
        case ["dialog-info", "dialog"]:
            if let dialog, isStateKnown { document?.dialogs.append(dialog) }
            dialog = nil
        default: break
        }
        text = nil
        path.removeLast()
    }

    /// Returns a text without the blanks around it; empty if it is too long.
    private static func trimmed(_ bytes: [UInt8]) -> String {
        guard bytes.count <= DialogDocument.maximumLength else { return "" }
        let start = bytes.drop { $0 <= 0x20 }
        let end = start.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start.startIndex
        return String(decoding: start[start.startIndex..<end], as: UTF8.self)
    }
}

/// The attributes of an element, which expat has for the time of a call.
private struct Attributes {
    private let list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?

    init(_ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) { self.list = list }

    /// The value of an attribute; empty if it is missing or too long.
    subscript(name: String) -> String {
        guard var pair = list else { return "" }
        while let key = pair[0], let value = pair[1] {
            if String(cString: key) == name {
                let text = String(cString: value)
                return text.utf8.count <= DialogDocument.maximumLength ? text : ""
            }
            pair += 2
        }
        return ""
    }
}
