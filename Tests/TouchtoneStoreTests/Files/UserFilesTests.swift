// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing
import TouchtoneCore

@testable import TouchtoneStore

@MainActor
@Suite struct UserFilesTests {
    private let home = Home(in: Home.memory)
    private var path: String { home.folder + "/file" }

    private func files(cacheSize: Int64 = UserFiles.cacheSize) -> UserFiles {
        UserFiles(home.folders, cacheSize: cacheSize)
    }

    @Test func ordinaryFileIsDescribed() async throws {
        try home.write("%PDF-1.5 and so on", to: path + ".pdf")
        let file = try await files().inspect(path + ".pdf")
        #expect(
            file == LocalFile(path: path + ".pdf", size: 18, mediaType: "application/pdf")
                && file.name == "file.pdf")
    }

    /// A pipe without a writer would block the thread for ever.
    @Test func otherKindsOfFilesAreNamed() async throws {
        try home.write("", to: path)
        await #expect(throws: FileProblem.empty) { try await files().inspect(path) }
        await #expect(throws: FileProblem.folder) { try await files().inspect(home.folder) }
        await #expect(throws: FileProblem.missing) { try await files().inspect(path + "-2") }
        await #expect(throws: FileProblem.missing) { try await files().inspect(path + "/x") }
        await #expect(throws: FileProblem.special) { try await files().inspect("/dev/null") }
        #expect(mkfifo(path + "-pipe", 0o600) == 0)
        await #expect(throws: FileProblem.special) { try await files().inspect(path + "-pipe") }
    }

    @Test(arguments: [
        ("a.desktop", "[Desktop Entry]\nExec=x"), ("a.sh", "echo"), ("a", "#!/bin/sh\n"),
        ("a", "\u{7f}ELF\u{2}\u{1}\u{1}"), ("a.EXE", "MZ"), ("a.py", "print()"), ("a.jar", "PK"),
    ])
    func programsAreRecognized(_ name: String, _ content: String) async throws {
        let path = home.folder + "/" + name
        try home.write(content, to: path)
        #expect(try await files().inspect(path).isProgram, "\(name)")
    }

    @Test(arguments: [("a.txt", "words"), ("a.pdf", "%PDF-1.5"), ("a.png", "\u{89}PNG"), ("notes", "sh")])
    func otherFilesAreNoPrograms(_ name: String, _ content: String) async throws {
        let path = home.folder + "/" + name
        try home.write(content, to: path)
        #expect(try await !files().inspect(path).isProgram)
    }

    @Test func pastedPicturesAreKeptForUserAlone() async throws {
        let files = files()
        let first = try await files.keep([1, 2], name: "picture.png")
        let second = try await files.keep([3], name: "picture.png")
        #expect(first != second && first.hasPrefix(home.folders.data + "/attachments/"))
        #expect(try home.permissions(of: first) == 0o600)
        #expect(try Data(contentsOf: URL(fileURLWithPath: first)) == Data([1, 2]))
        try home.write("mine", to: path)
        for path in [first, path, home.folders.data + "/attachments/../../../../file"] { files.discard(path) }
        _ = await files.cached("")
        #expect(!home.exists(first) && home.exists(second) && home.exists(path))
    }

    @Test func cacheKeepsFilesByAddress() async throws {
        let files = files()
        let url = "https://example.org/../../a.png"
        #expect(await files.cached(url) == nil)
        let folder = try await files.cacheFolder(for: url)
        #expect(folder.hasPrefix(home.folders.cache + "/files/"))
        #expect(try home.permissions(of: folder) == 0o700)
        try home.write("part", to: folder + "/.a.png.part")
        #expect(await files.cached(url) == nil, "it is not complete")
        try home.write("picture", to: folder + "/a.png")
        #expect(await files.cached(url) == folder + "/a.png")
        #expect(await files.cached(url + "?") == nil)
    }

    @Test func oldestFilesLeaveFullCache() async throws {
        let files = files(cacheSize: 25)
        for number in 1...4 {
            let folder = try await files.cacheFolder(for: "https://example.org/\(number)")
            try home.write("0123456789", to: folder + "/file")
            // The first one was used last.
            var times = [timespec(), timespec(tv_sec: number == 1 ? 9000 : 1000 * number, tv_nsec: 0)]
            utimensat(AT_FDCWD, folder, &times, 0)
        }
        files.trimCache(keeping: ["https://example.org/2"])
        var kept: [Int] = []
        for number in 1...4 where await files.cached("https://example.org/\(number)") != nil {
            kept.append(number)
        }
        #expect(kept == [1, 2])
    }

    @Test func copyReplacesFileOrSaysWhyNot() async throws {
        try home.write("new", to: path)
        try home.write("old", to: path + "-2")
        try await files().copy(path, to: URL(fileURLWithPath: path + "-2").absoluteString)
        #expect(try home.read(path + "-2") == "new")
        await #expect {
            try await files().copy(path, to: "file:///proc/file")
        } throws: {
            if case .unwritable(let reason)? = $0 as? FileProblem { !reason.isEmpty } else { false }
        }
    }
}
