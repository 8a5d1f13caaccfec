// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneCore

/// A tone plan in a file.
struct PlanFile {
    private let name: String

    /// Creates a reference to a plan by its path, or by the name of a supplied plan.
    init(_ name: String) { self.name = name }

    /// Reads the plan.
    func read() throws(CommandError) -> TonePlan {
        let isPath = name.contains("/") || name.hasSuffix(".plan")
        let candidates = isPath ? [name] : Self.folders.map { "\($0)/tone-plans/\(name).plan" }
        for path in candidates {
            guard let content = try Self.content(of: path, mustExist: isPath) else { continue }
            do throws(TonePlanError) {
                return try TonePlan(content)
            } catch {
                throw CommandError("\(path): \(error.message)")
            }
        }
        throw CommandError("no tone plan named “\(name)”")
    }

    /// The possible data folders, in the order in which the phone searches them.
    private static var folders: [String] {
        var folders = [variable("TOUCHTONE_DATA_DIR")].compactMap { $0 }
        // In a checkout, the executable is in .build/TRIPLE/debug.
        var parent = executable
        for level in 0..<6 {
            guard let cut = parent.lastIndex(of: "/"), cut != parent.startIndex else { break }
            parent = String(parent[..<cut])
            if level < 2 { folders.append("\(parent)/share/touchtone") }
            if access("\(parent)/Package.swift", F_OK) == 0 { folders.append("\(parent)/data") }
        }
        let system = variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
        return folders + system.split(separator: ":").map { "\($0)/touchtone" }
    }

    private static var executable: String {
        var link = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &link, link.count)
        return String(decoding: link[..<max(0, count)], as: UTF8.self)
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads a file up to one byte more than the maximum size of a plan; returns nil if an optional one is missing.
    private static func content(of path: String, mustExist: Bool) throws(CommandError) -> [UInt8]? {
        guard let file = fopen(path, "rbe") else {
            guard mustExist || errno != ENOENT else { return nil }
            throw CommandError("cannot read “\(path)”: \(OutputFile.reason)")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: TonePlan.maximumSize + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw CommandError("cannot read “\(path)”: \(OutputFile.reason)") }
        return Array(bytes[..<count])
    }
}
