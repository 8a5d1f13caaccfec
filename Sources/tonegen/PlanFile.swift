// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneCore

struct PlanFile {
    private let name: String

    /// Creates a reference to a plan by its path, or by the name of a supplied plan.
    init(_ name: String) { self.name = name }

    func read() throws(CommandError) -> TonePlan {
        let isPath = name.contains("/") || name.hasSuffix(".plan")
        let candidates = isPath ? [name] : DataFolders.all.map { "\($0)/tone-plans/\(name).plan" }
        for path in candidates {
            guard let content = try Self.content(of: path, mustExist: isPath) else { continue }
            do throws(TonePlanError) {
                return try TonePlan(content)
            } catch {
                throw CommandError("\(path): \(error.message)")
            }
        }
        throw CommandError(localized("no tone plan named “{name}”", ["name": name]))
    }

    /// Reads a file up to one byte more than the maximum size of a plan; returns nil if an optional one is missing.
    private static func content(of path: String, mustExist: Bool) throws(CommandError) -> [UInt8]? {
        guard let file = fopen(path, "rbe") else {
            guard mustExist || errno != ENOENT else { return nil }
            throw CommandError.unreadable(path)
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: TonePlan.maximumSize + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw CommandError.unreadable(path) }
        return Array(bytes[..<count])
    }
}
