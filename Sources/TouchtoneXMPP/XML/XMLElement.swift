// SPDX-License-Identifier: GPL-3.0-or-later

/// An element of a stream with its contents, as a value.
public struct XMLElement: Hashable, Sendable {
    public struct Attribute: Hashable, Sendable {
        /// The name, without a prefix.
        public let name: String
        /// The namespace; empty for none, as most attributes have.
        public let namespace: String
        /// The value, unescaped.
        public var value: String

        public init(_ name: String, namespace: String = "", value: String) {
            self.name = name
            self.namespace = namespace
            self.value = value
        }
    }

    public enum Node: Hashable, Sendable {
        case element(XMLElement)
        /// Text, unescaped; the parser never creates two text nodes in a row.
        case text(String)
    }

    /// The name, without a prefix.
    public let name: String
    /// The namespace; empty for none.
    public let namespace: String
    /// The attributes, without namespace declarations.
    public var attributes: [Attribute]
    public var nodes: [Node]

    /// Creates an element; attributes that are nil are omitted.
    ///
    /// Names are not escaped: they must come from the program, never from a user.
    public init(
        _ name: String, _ namespace: String, _ attributes: KeyValuePairs<String, String?> = [:],
        _ children: [XMLElement] = [], text: String? = nil
    ) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes.compactMap { name, value in value.map { Attribute(name, value: $0) } }
        nodes = children.map { .element($0) } + (text.map { [.text($0)] } ?? [])
    }

    init(name: String, namespace: String, attributes: [Attribute], nodes: [Node]) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
        self.nodes = nodes
    }
}

extension XMLElement {
    /// The value of an attribute without a namespace; set it to nil to remove the attribute.
    public subscript(_ attribute: String) -> String? {
        get { attributes.first { $0.name == attribute && $0.namespace.isEmpty }?.value }
        set {
            attributes.removeAll { $0.name == attribute && $0.namespace.isEmpty }
            if let newValue { attributes.append(Attribute(attribute, value: newValue)) }
        }
    }

    public var children: [XMLElement] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The combined text of the child nodes.
    public var text: String {
        nodes.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }

    public func isNamed(_ name: String, _ namespace: String) -> Bool {
        self.name == name && self.namespace == namespace
    }

    /// Returns the first child with that name, in this element's namespace if none is given.
    public func child(_ name: String, _ namespace: String? = nil) -> XMLElement? {
        children.first { $0.isNamed(name, namespace ?? self.namespace) }
    }

    /// Returns all children with that name, in this element's namespace if none is given.
    public func children(_ name: String, _ namespace: String? = nil) -> [XMLElement] {
        children.filter { $0.isNamed(name, namespace ?? self.namespace) }
    }

    public mutating func append(_ child: XMLElement) { nodes.append(.element(child)) }
}
