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

    @Test func libraryOfTheSystemIsLoaded() throws {
        typealias Length = @convention(c) (UnsafePointer<CChar>?) -> Int
        let library = try SharedLibrary(ofSystem: "libc.so.6")
        let length = try library.function("strlen", Length.self)
        #expect(length("phone") == 5)
        let error = #expect(throws: SharedLibrary.Failure.self) {
            _ = try library.function("touchtone_none", Length.self)
        }
        #expect(error?.reason.contains("touchtone_none") == true)
        #expect(throws: SharedLibrary.Failure.self) {
            _ = try SharedLibrary(ofSystem: "libtouchtone-none.so.1")
        }
    }

    @Test func loadedLibraryIsRecognized() {
        #expect(SharedLibrary.isLoaded("libc.so.6"))
        #expect(!SharedLibrary.isLoaded("libtouchtone-none.so"))
    }
}
