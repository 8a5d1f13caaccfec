// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import GLibBridge

@Suite struct SharedLibraryTests {
    @Test func missingOrForeignLibraryIsReported() throws {
        let folder = try TemporaryFolders.make("touchtone-library")
        for folders in [[], ["/nowhere"], [folder]] {
            #expect(throws: SharedLibrary.Failure.self) {
                _ = try SharedLibrary("libtouchtone-x.so", in: folders)
            }
        }
        _ = try output(of: ["sh", "-c", "echo text > \(folder)/libtouchtone-x.so"])
        let error = #expect(throws: SharedLibrary.Failure.self) {
            _ = try SharedLibrary("libtouchtone-x.so", in: ["/nowhere", folder])
        }
        #expect(error?.reason.contains(folder) == true)
    }

    @Test func loadedLibraryIsRecognized() {
        #expect(SharedLibrary.isLoaded("libc.so.6"))
        #expect(!SharedLibrary.isLoaded("libtouchtone-none.so"))
    }
}
