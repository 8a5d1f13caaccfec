// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TouchtoneAudio

/// A folder for a test's files.
struct TemporaryFolder {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "touchtone-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Runs `body` with a folder that is removed afterwards.
    static func with<Result>(_ body: (TemporaryFolder) throws -> Result) rethrows -> Result {
        let folder = TemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        return try body(folder)
    }

    /// Writes a file, and returns its path.
    @discardableResult
    func write(_ bytes: some Sequence<UInt8>, _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    /// Writes a WAV file, and returns its path.
    @discardableResult
    func write(_ file: WAVFile, _ name: String = "tone.wav") throws -> String { try write(file.bytes, name) }
}
