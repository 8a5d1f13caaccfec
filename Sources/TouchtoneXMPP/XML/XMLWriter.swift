// SPDX-License-Identifier: GPL-3.0-or-later

extension XMLElement {
    /// The namespace of `xml:lang`, whose prefix is predefined.
    static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

    /// Serializes the element for a stream whose default namespace is `outer`.
    ///
    /// Parsing the result yields this element again, whatever the values contain. Only characters that XML cannot
    /// represent (most control characters, XML 1.0 section 2.2) are replaced by U+FFFD.
    func serialized(in outer: String = "") -> String {
        var text = ""
        write(to: &text, outer: outer)
        return text
    }

    private func write(to text: inout String, outer: String) {
        // The XML namespace cannot be the default namespace: it always has its prefix.
        let isXML = namespace == Self.xmlNamespace
        let tag = isXML ? "xml:\(name)" : name
        text += "<\(tag)"
        if namespace != outer, !isXML { Self.write("xmlns", namespace, to: &text) }
        writeAttributes(to: &text)
        guard !nodes.isEmpty else {
            text += "/>"
            return
        }
        text += ">"
        for node in nodes {
            switch node {
            case .element(let element): element.write(to: &text, outer: isXML ? outer : namespace)
            case .text(let value): XMLEscaping.append(value, to: &text, inAttribute: false)
            }
        }
        text += "</\(tag)>"
    }

    private func writeAttributes(to text: inout String) {
        for (index, attribute) in attributes.enumerated() {
            switch attribute.namespace {
            case "": Self.write(attribute.name, attribute.value, to: &text)
            case Self.xmlNamespace: Self.write("xml:\(attribute.name)", attribute.value, to: &text)
            default:
                Self.write("xmlns:a\(index)", attribute.namespace, to: &text)
                Self.write("a\(index):\(attribute.name)", attribute.value, to: &text)
            }
        }
    }

    private static func write(_ name: String, _ value: String, to text: inout String) {
        text += " \(name)='"
        XMLEscaping.append(value, to: &text, inAttribute: true)
        text += "'"
    }
}

enum XMLEscaping {
    static func append(_ value: String, to text: inout String, inAttribute: Bool) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "'" where inAttribute: text += "&apos;"
            // Unescaped, parsers would read a line feed for it, and spaces for all three in an attribute.
            case "\r": text += "&#13;"
            case "\n" where inAttribute: text += "&#10;"
            case "\t" where inAttribute: text += "&#9;"
            case "\n", "\t": text.unicodeScalars.append(scalar)
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
