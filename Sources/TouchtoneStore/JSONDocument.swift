// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Reads JSON from anybody, with SQLite.
public enum JSONDocument {
    /// The greatest number of values, and of levels of lists and objects.
    private static let (maximumValues, maximumDepth) = (2_000, 12)

    /// A value before those within it are known.
    private struct Node {
        let id, parent: Int64
        let key: String
        let kind: String
        let text: String
    }

    /// Reads a document; nil if it is not valid JSON, has too many values, or the same name twice in an object.
    public static func read(_ bytes: [UInt8]) -> JSONValue? {
        // SQLite would take a NUL as the end.
        guard bytes.count <= AccountSetup.maximumBytes, !bytes.contains(0),
            let text = String(validating: bytes, as: UTF8.self), let nodes = try? nodes(in: text),
            let root = nodes.first, nodes.count <= maximumValues
        else { return nil }
        return value(root, Dictionary(grouping: nodes.dropFirst(), by: \.parent), depth: 0)
    }

    private static func nodes(in text: String) throws(SQLiteError) -> [Node] {
        let database = try Database(path: ":memory:", busyTimeout: 0)
        // Newer versions of SQLite also read JSON5, but do not call it valid. Strings with a NUL have an end within.
        let sql = """
            SELECT id, coalesce(parent, -1), coalesce(key, ''), type, coalesce(atom, '') FROM json_tree(?1)
            WHERE json_valid(?1) ORDER BY id LIMIT \(maximumValues + 1)
            """
        return try database.prepare(sql).run([.text(text)]) {
            Node(
                id: $0.integer(0), parent: $0.integer(1), key: $0.text(2), kind: $0.text(3), text: $0.text(4))
        }
    }

    private static func value(_ node: Node, _ nodes: [Int64: [Node]], depth: Int) -> JSONValue? {
        guard depth <= maximumDepth else { return nil }
        let parts = nodes[node.id] ?? []
        switch node.kind {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "integer", "real": return Double(node.text).map { .number($0) }
        case "text": return .text(node.text)
        case "array":
            var list: [JSONValue] = []
            for part in parts {
                guard let value = value(part, nodes, depth: depth + 1) else { return nil }
                list.append(value)
            }
            return .list(list)
        case "object":
            var members: [String: JSONValue] = [:]
            for part in parts {
                guard let value = value(part, nodes, depth: depth + 1),
                    members.updateValue(value, forKey: part.key) == nil
                else { return nil }
            }
            return .object(members)
        default: return nil
        }
    }
}
