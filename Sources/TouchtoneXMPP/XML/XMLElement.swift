// SPDX-License-Identifier: GPL-3.0-or-later

/// An element of a stream with its contents, as a value.
struct XMLElement: Hashable, Sendable {
    struct Attribute: Hashable, Sendable {
        /// The name, without a prefix.
        let name: String
        /// The namespace; empty for none, as most attributes have.
        let namespace: String
        /// The value, unescaped.
        var value: String

        init(_ name: String, namespace: String = "", value: String) {
            (self.name, self.namespace, self.value) = (name, namespace, value)
        }
    }

    enum Node: Hashable, Sendable {
        case element(XMLElement)
        /// Text, unescaped; the parser never creates two text nodes in a row.
        case text(String)
    }

    /// The name, without a prefix.
    let name: String
    /// The namespace; empty for none.
    let namespace: String
    /// The attributes, without namespace declarations.
    var attributes: [Attribute]
    var nodes: [Node]
}

extension XMLElement {
    /// Creates an element; attributes that are nil are omitted.
    ///
    /// Names are not escaped: they must come from the program, never from a user.
    init(
        _ name: String, _ namespace: String, _ attributes: KeyValuePairs<String, String?> = [:],
        _ children: [XMLElement] = [], text: String? = nil
    ) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes.compactMap { name, value in value.map { Attribute(name, value: $0) } }
        nodes = children.map { .element($0) } + (text.map { [.text($0)] } ?? [])
    }

    /// The value of an attribute without a namespace; set it to nil to remove the attribute.
    subscript(_ attribute: String) -> String? {
        get { attributes.first { $0.name == attribute && $0.namespace.isEmpty }?.value }
        set {
            attributes.removeAll { $0.name == attribute && $0.namespace.isEmpty }
            if let newValue { attributes.append(Attribute(attribute, value: newValue)) }
        }
    }

    var children: [XMLElement] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The combined text of the child nodes.
    var text: String {
        nodes.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }

    func isNamed(_ name: String, _ namespace: String) -> Bool {
        self.name == name && self.namespace == namespace
    }

    /// Returns the first child with that name, in this element's namespace if none is given.
    func child(_ name: String, _ namespace: String? = nil) -> XMLElement? {
        children.first { $0.isNamed(name, namespace ?? self.namespace) }
    }

    /// Returns all children with that name, in this element's namespace if none is given.
    func children(_ name: String, _ namespace: String? = nil) -> [XMLElement] {
        children.filter { $0.isNamed(name, namespace ?? self.namespace) }
    }

    mutating func append(_ child: XMLElement) { nodes.append(.element(child)) }

    mutating func removeChildren(where isRemoved: (XMLElement) -> Bool) {
        nodes.removeAll { if case .element(let child) = $0 { isRemoved(child) } else { false } }
    }
}
