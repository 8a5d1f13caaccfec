// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TestSupport
import Testing

@testable import GLibBridge

@Suite struct LibraryFoldersTests {
    @Test func foldersAreSearchedInOrder() throws {
        let root = try TemporaryFolders.make("touchtone-libraries")
        for folder in [
            "bin", "lib", "lib/b-linux-gnu", "lib/b-linux-gnu/touchtone", "lib/a", "lib/a/touchtone",
            "lib/c",
        ] {
            #expect(mkdir("\(root)/\(folder)", 0o700) == 0)
        }
        let found = LibraryFolders.folders(override: "/override", executableFolder: "\(root)/bin")
        let lib = "\(root)/bin/../lib"
        #expect(
            found == [
                "/override", "\(root)/bin", "\(lib)/touchtone", "\(lib)/a/touchtone",
                "\(lib)/b-linux-gnu/touchtone",
            ])
        #expect(LibraryFolders.folders(override: "", executableFolder: nil) == [])
    }
}
