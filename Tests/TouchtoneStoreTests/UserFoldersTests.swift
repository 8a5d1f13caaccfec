// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneStore

@Suite struct UserFoldersTests {
    @Test func environmentSetsFolders() {
        let folders = UserFolders(home: "/home/a") {
            ["XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"][$0]
        }
        #expect(folders.data == "/data/touchtone")
        #expect(folders.state == "/state/touchtone")
    }

    @Test(arguments: [nil, "", "relative", "~/x"]) func relativePathsAreIgnored(_ value: String?) {
        let folders = UserFolders(home: "/home/a") { _ in value }
        #expect(folders.data == "/home/a/.local/share/touchtone")
        #expect(folders.state == "/home/a/.local/state/touchtone")
    }
}
