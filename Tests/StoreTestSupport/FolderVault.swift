// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
package import TouchtoneCore
import TouchtoneStore

/// Keys in the files of a folder, which a killed process leaves as a keyring would.
package struct FolderVault: StoreKeyVault {
    private let folder: String

    package init(_ folder: String) {
        self.folder = folder
        mkdir(folder, 0o700)
    }

    package func digits(of name: String) throws(StoreKeyProblem) -> String? {
        guard let file = fopen("\(folder)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Saves a key at once or not at all.
    package func save(_ digits: String, name: String) throws(StoreKeyProblem) {
        let bytes = Array(digits.utf8)
        guard let file = fopen("\(folder)/new", "w") else { throw .keyringRefused("no file") }
        let count = fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        guard count == bytes.count, rename("\(folder)/new", "\(folder)/\(name)") == 0 else {
            throw .keyringRefused("not saved")
        }
    }

    package func remove(_ name: String) { unlink("\(folder)/\(name)") }
}
