// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TouchtoneStore

@Suite struct RunningProgramTests {
    @Test func secondProgramIsKeptAway() throws {
        let home = try TemporaryFolders.make("running-program")
        let folders = UserFolders(home: home) { _ in nil }
        #expect(RunningProgram.claim(folders, milliseconds: 0))
        #expect(!RunningProgram.claim(folders, milliseconds: 0))
        let others = UserFolders(home: "\(home)/other") { _ in nil }
        #expect(RunningProgram.claim(others, milliseconds: 0))
    }

    @Test func folderThatCannotBeMadeIsNoObstacle() {
        let folders = UserFolders(home: "/dev/null") { _ in nil }
        #expect(RunningProgram.claim(folders, milliseconds: 0))
    }
}
