// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge

/// The reader of what the service sends, which may be anything: it is bounded, and what has another form is left out.
enum TelephonyReader {
    /// The properties of an object, by interface.
    typealias Interfaces = [String: [String: Variant]]

    /// The greatest size of a message that is read, in bytes.
    static let maximumSize = 1 << 20
    /// The greatest number of objects in an answer, and of properties of an object, that are read.
    static let maximumObjects = 64

    /// Reads the answer of `GetManagedObjects`.
    static func objects(_ answer: Variant) -> [(path: String, interfaces: Interfaces)] {
        guard answer.type == "(a{oa{sa{sv}}})", answer.size <= maximumSize, let list = answer[0] else {
            return []
        }
        return list.children.prefix(maximumObjects).compactMap { entry in
            guard let path = entry[0]?.string, let interfaces = entry[1] else { return nil }
            return (path, self.interfaces(interfaces))
        }
    }

    /// Reads the signal `InterfacesAdded`.
    static func added(_ values: Variant) -> (path: String, interfaces: Interfaces)? {
        guard values.type == "(oa{sa{sv}})", values.size <= maximumSize, let path = values[0]?.string,
            let interfaces = values[1]
        else { return nil }
        return (path, self.interfaces(interfaces))
    }

    /// Reads the signal `InterfacesRemoved`.
    static func removed(_ values: Variant) -> (path: String, interfaces: [String])? {
        guard values.type == "(oas)", values.size <= maximumSize, let path = values[0]?.string else {
            return nil
        }
        return (path, values[1]?.strings ?? [])
    }

    /// Reads the signal `PropertiesChanged`.
    static func changed(_ values: Variant) -> (interface: String, properties: [String: Variant])? {
        guard values.type == "(sa{sv}as)", values.size <= maximumSize, let name = values[0]?.string,
            let properties = values[1]
        else { return nil }
        return (name, self.properties(properties))
    }

    private static func interfaces(_ value: Variant) -> Interfaces {
        var read: Interfaces = [:]
        for entry in value.children.prefix(maximumObjects) {
            if let name = entry[0]?.string, let properties = entry[1] {
                read[name] = self.properties(properties)
            }
        }
        return read
    }

    private static func properties(_ value: Variant) -> [String: Variant] {
        var read: [String: Variant] = [:]
        for entry in value.children.prefix(maximumObjects) {
            if let name = entry[0]?.string, let content = entry[1]?.content { read[name] = content }
        }
        return read
    }
}
