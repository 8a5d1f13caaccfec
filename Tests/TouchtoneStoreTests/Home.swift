// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization

@testable import TouchtoneStore

/// A test's own home folder, which is removed with it.
final class Home {
    let folder: String

    /// A folder in memory, if there is one, where files do not wait for a disk.
    static let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : nil

    /// - Parameter parent: The parent folder; nil for the folder of temporary files.
    init(in parent: String? = nil) {
        let parent = parent.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
        folder = parent.appendingPathComponent("touchtone-\(UUID())").path
    }

    /// The folders of the lock, with a fast hash unless the real one is requested.
    var folders: UserFolders { UserFolders(home: folder) { _ in nil } }
    var state: String { "\(folders.state)/lock" }
    var record: String { "\(folders.data)/passcode" }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ text: String, to path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        setPermissions(0o600, of: path)
    }

    func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    func permissions(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
    }

    func setPermissions(_ mode: mode_t, of path: String) { chmod(path, mode) }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

/// A hash that takes no time, and counts its computations.
final class CountingHash: PasswordHash {
    private let counted = Mutex(0)
    private static let salt = "$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$"

    /// The number of computations.
    var count: Int { counted.withLock { $0 } }

    func make(_ password: [CChar]) -> String? { Self.salt + Self.digest(password) }

    func matches(_ hash: String, _ password: [CChar]) -> Bool? {
        counted.withLock { $0 += 1 }
        return hash == Self.salt + Self.digest(password)
    }

    private static func digest(_ password: [CChar]) -> String {
        String(password.reduce(into: UInt64(14_695_981_039)) { $0 = ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
    }
}
