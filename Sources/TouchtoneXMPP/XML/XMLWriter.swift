// SPDX-License-Identifier: GPL-3.0-or-later

extension XMLElement {
    /// The namespace of `xml:lang`, whose prefix every document knows.
    public static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

    /// The element as text for a stream whose default namespace is `outer`.
    ///
    /// Whatever the values hold, what is read from it is this element again; only characters that XML cannot carry
    /// (most control characters, XML 1.0 section 2.2) become U+FFFD.
    public func serialized(in outer: String = "") -> String {
        var text = ""
        write(to: &text, outer: outer)
        return text
    }

    private func write(to text: inout String, outer: String) {
        // XML's own namespace can't be made the default one: it has its prefix.
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

/// What stands for the characters that mean something in XML.
enum XMLEscaping {
    static func append(_ value: String, to text: inout String, inAttribute: Bool) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "'" where inAttribute: text += "&apos;"
            // A parser would read a line feed for it, and spaces for all three in an attribute.
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
