// SPDX-License-Identifier: GPL-3.0-or-later

/// An element of a stream, with all that is in it: a value.
public struct XMLElement: Hashable, Sendable {
    /// An attribute.
    public struct Attribute: Hashable, Sendable {
        /// Its name, without a prefix.
        public let name: String
        /// Its namespace; empty for the usual attribute, which has none.
        public let namespace: String
        /// What it says, unescaped.
        public var value: String

        /// Creates an attribute.
        public init(_ name: String, namespace: String = "", value: String) {
            self.name = name
            self.namespace = namespace
            self.value = value
        }
    }

    /// What an element can hold.
    public enum Node: Hashable, Sendable {
        /// Another element.
        case element(XMLElement)
        /// Text, unescaped. Never two in a row in what the parser gives.
        case text(String)
    }

    /// Its name, without a prefix.
    public let name: String
    /// Its namespace; empty for none.
    public let namespace: String
    /// Its attributes, declarations of namespaces not among them.
    public var attributes: [Attribute]
    /// What is in it, in order.
    public var nodes: [Node]

    /// Creates an element; what is nil among the attributes is left out.
    ///
    /// Names are written as they are: they come from the program, never from a user.
    public init(
        _ name: String, _ namespace: String, _ attributes: KeyValuePairs<String, String?> = [:],
        _ children: [XMLElement] = [], text: String? = nil
    ) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes.compactMap { name, value in value.map { Attribute(name, value: $0) } }
        nodes = children.map { .element($0) } + (text.map { [.text($0)] } ?? [])
    }

    /// Creates an element from its parts.
    init(name: String, namespace: String, attributes: [Attribute], nodes: [Node]) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
        self.nodes = nodes
    }
}

extension XMLElement {
    /// The value of an attribute without namespace; nil takes it away.
    public subscript(_ attribute: String) -> String? {
        get { attributes.first { $0.name == attribute && $0.namespace.isEmpty }?.value }
        set {
            attributes.removeAll { $0.name == attribute && $0.namespace.isEmpty }
            if let newValue { attributes.append(Attribute(attribute, value: newValue)) }
        }
    }

    /// The elements right below this one.
    public var children: [XMLElement] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The text right below this one, put together.
    public var text: String {
        nodes.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
    }

    /// Whether it is the element of that name and namespace.
    public func isNamed(_ name: String, _ namespace: String) -> Bool {
        self.name == name && self.namespace == namespace
    }

    /// The first child of that name; of the same namespace as this element, where none is given.
    public func child(_ name: String, _ namespace: String? = nil) -> XMLElement? {
        children.first { $0.isNamed(name, namespace ?? self.namespace) }
    }

    /// The first child of that namespace, whatever its name.
    public func child(of namespace: String) -> XMLElement? {
        children.first { $0.namespace == namespace }
    }

    /// All children of that name; of the same namespace as this element, where none is given.
    public func children(_ name: String, _ namespace: String? = nil) -> [XMLElement] {
        children.filter { $0.isNamed(name, namespace ?? self.namespace) }
    }

    /// Adds a child at the end.
    public mutating func append(_ child: XMLElement) { nodes.append(.element(child)) }
}
