// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import XCTest

/// Tests of the removal of a variable from the environment.
final class EnvironmentTests: XCTestCase {
    func testOnlyThatVariableIsRemoved() {
        let names = ["TOUCHTONE_TEST", "TOUCHTONE_TEST_2", "TOUCHTONE_TES"]
        for name in names { g_setenv(name, "1", 1) }
        defer { for name in names { g_unsetenv(name) } }
        let path = g_getenv("PATH")
        cgtk_remove_from_environment("TOUCHTONE_TEST")
        XCTAssertNil(g_getenv("TOUCHTONE_TEST"))
        XCTAssertNotNil(g_getenv("TOUCHTONE_TEST_2"))
        XCTAssertNotNil(g_getenv("TOUCHTONE_TES"))
        XCTAssertEqual(g_getenv("PATH"), path)
        cgtk_remove_from_environment("TOUCHTONE_TEST")
        g_setenv("TOUCHTONE_TEST", "2", 1)
        XCTAssertEqual(g_getenv("TOUCHTONE_TEST").map { String(cString: $0) }, "2")
    }
}
