// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

@testable import TouchtoneStore

@MainActor
@Suite struct AvatarFilesTests {
    private let home = Home(in: Home.memory)
    private let picture: [UInt8] = Array("abc".utf8)
    /// The SHA-1 of `picture` (RFC 3174, section 7.3).
    private let name = "a9993e364706816aba3e25717850c26c9cd0d89d"
    private static let account = "grace@example.org"
    private var folder: String { Self.folder(in: home.folders, of: Self.account) }
    private var path: String { "\(folder)/\(name)" }

    private static func folder(in folders: UserFolders, of account: String) -> String {
        "\(folders.cache)/avatars/\(AvatarFolder.hash(Array(account.utf8)) ?? "")"
    }

    /// Returns the storage of a new run of the program.
    private func files(
        of account: String = account, maximumCount: Int = AvatarFolder.standardCount,
        maximumSize: Int64 = AvatarFolder.standardSize
    ) -> AvatarFiles {
        let files = AvatarFiles(home.folders, maximumCount: maximumCount, maximumSize: maximumSize)
        files.account = account
        return files
    }

    /// Stores a picture, and waits until it is written.
    private func keep(_ picture: [UInt8], in files: AvatarFiles) async -> String {
        let name = AvatarFolder.hash(picture) ?? ""
        files.keep(picture, named: name)
        _ = await files.picture(named: "")
        return name
    }

    private func names() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    private func setUse(of name: String, to seconds: Int) {
        var times = [timespec(), timespec(tv_sec: seconds, tv_nsec: 0)]
        utimensat(AT_FDCWD, "\(folder)/\(name)", &times, 0)
    }

    @Test func pictureIsKeptForUserAlone() async throws {
        #expect(await files().picture(named: name) == nil)
        #expect(await keep(picture, in: files()) == name)
        #expect(await files().picture(named: name) == picture)
        #expect(names() == [name])
        #expect(try home.permissions(of: path) == 0o600)
        #expect(try home.permissions(of: folder) == 0o700)
    }

    @Test(arguments: ["", "ab", "abcd", "abd"])
    func damagedPictureIsRemovedAndCanBeKeptAgain(_ content: String) async throws {
        let files = files()
        _ = await keep(picture, in: files)
        try home.write(content, to: path)
        #expect(await files.picture(named: name) == nil)
        #expect(!home.exists(path))
        _ = await keep(picture, in: files)
        #expect(await files.picture(named: name) == picture)
    }

    @Test func endlessFileIsNotRead() async throws {
        try home.write("", to: path)
        #expect(truncate(path, 1 << 40) == 0)
        #expect(await files().picture(named: name) == nil)
        #expect(!home.exists(path))
    }

    /// A pipe without a writer would block the thread for ever.
    @Test func onlyRegularFilesAreRead() async throws {
        let other = home.folder + "/other"
        try home.write("abc", to: other)
        try home.write("", to: folder + "/x")
        #expect(symlink(other, path) == 0)
        #expect(await files().picture(named: name) == nil)
        _ = await keep(picture, in: files())
        #expect(await files().picture(named: name) == picture, "the link is replaced")
        #expect(try home.read(other) == "abc")
        try home.remove(path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(await files().picture(named: name) == nil)
        #expect(!home.exists(path))
        #expect(mkdir(path, 0o700) == 0)
        #expect(await files().picture(named: name) == nil)
        _ = await keep(picture, in: files())
        #expect(names() == [name, "x"], "a folder is not replaced, and nothing else remains")
    }

    /// The name comes from the buddy.
    @Test(arguments: [
        "", ".", "..", "/", "x", "../x", "../../../x", "a9993e364706816aba3e25717850c26c9cd0d89",
        "a9993e364706816aba3e25717850c26c9cd0d89d0", "A9993E364706816ABA3E25717850C26C9CD0D89D",
        "../9993e364706816aba3e25717850c26c9cd0d8", "a9993e364706816aba3e25717850c26c9cd0d8\u{0}d",
        "\u{0}a9993e364706816aba3e25717850c26c9cd0d89", "ä9993e364706816aba3e25717850c26c9cd0d8",
    ])
    func otherNamesThanHashesAreRefused(_ hostile: String) async throws {
        let files = files()
        _ = await keep(picture, in: files)
        for place in ["\(home.folders.cache)/x", "\(home.folder)/x"] { try home.write("abc", to: place) }
        #expect(await files.picture(named: hostile) == nil)
        files.keep([1, 2, 3], named: hostile)
        #expect(await files.picture(named: hostile) == nil)
        #expect(names() == [name])
        #expect(try home.read("\(home.folders.cache)/x") == "abc")
        #expect(try home.read("\(home.folder)/x") == "abc")
    }

    @Test func pictureWithOtherHashIsNotKept() async {
        let files = files()
        files.keep([1, 2, 3], named: name)
        #expect(await files.picture(named: name) == nil)
        #expect(names() == [])
    }

    @Test func leastRecentlyUsedPicturesLeave() async {
        let files = files(maximumCount: 4)
        var kept: [String] = []
        for number in 1...4 {
            kept.append(await keep([UInt8(number)], in: files))
            setUse(of: kept[number - 1], to: 1000 * number)
        }
        #expect(await files.picture(named: kept[0]) == [1], "it is used now")
        kept.append(await keep([5], in: files))
        #expect(names() == [kept[0], kept[3], kept[4]].sorted())
    }

    @Test func sizeOfAllPicturesIsBounded() async {
        let files = files(maximumSize: 1000)
        var kept: [String] = []
        for number in 1...4 {
            kept.append(await keep([UInt8](repeating: UInt8(number), count: 240), in: files))
            setUse(of: kept[number - 1], to: 1000 * number)
        }
        #expect(names().count == 4)
        _ = await keep([UInt8](repeating: 9, count: 1001), in: files)
        #expect(names().count == 4, "what is larger than the bound is not kept")
        kept.append(await keep([UInt8](repeating: 5, count: 240), in: files))
        #expect(names() == kept.suffix(3).sorted())
    }

    @Test func picturesOfEarlierRunsCount() async {
        for number in 1...4 {
            setUse(of: await keep([UInt8(number)], in: files(maximumCount: 4)), to: 1000 * number)
        }
        let last = await keep([5], in: files(maximumCount: 4))
        #expect(names().count == 3 && names().contains(last))
    }

    @Test func floodOfPicturesStaysBounded() async {
        let files = files(maximumCount: 50, maximumSize: 4000)
        for number in 0..<500 {
            let bytes = [UInt8](repeating: UInt8(number & 255), count: 1 + number % 200)
            _ = await keep(bytes + [UInt8(number >> 8)], in: files)
        }
        let size = names().compactMap {
            try? FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)")[.size] as? Int
        }.reduce(0, +)
        #expect(1...50 ~= names().count && 1...4000 ~= size)
    }

    @Test func othersFilesStay() async throws {
        let files = files()
        _ = await keep(picture, in: files)
        try home.write("mine", to: folder + "/notes")
        files.removeAll()
        #expect(await files.picture(named: name) == nil)
        #expect(names() == ["notes"])
        try home.remove(folder + "/notes")
        _ = await keep(picture, in: files)
        files.removeAll()
        #expect(await files.picture(named: name) == nil)
        #expect(!home.exists(folder))
        _ = await keep(picture, in: files)
        #expect(names() == [name], "the next account has pictures, too")
    }

    /// Earlier versions had one folder for all.
    @Test func picturesOfEarlierVersionsLeaveToo() async throws {
        let (own, other) = (files(), files(of: "ada@example.org"))
        let common = "\(home.folders.cache)/avatars"
        for files in [own, other] { _ = await keep(picture, in: files) }
        try home.write("abc", to: "\(common)/\(name)")
        own.removeAll()
        #expect(await own.picture(named: name) == nil)
        #expect(await other.picture(named: name) == picture)
        #expect(!home.exists("\(common)/\(name)") && !home.exists(folder))
    }

    @Test func accountsHavePicturesOfTheirOwn() async {
        let (own, other) = (files(), files(of: "ada@example.org"))
        for files in [own, other] { _ = await keep(picture, in: files) }
        own.removeAll()
        #expect(await own.picture(named: name) == nil)
        #expect(await other.picture(named: name) == picture)
        other.account = ""
        _ = await keep(picture, in: other)
        #expect(await other.picture(named: name) == nil, "no account has no pictures")
        other.removeAll()
        other.account = "ada@example.org"
        #expect(await other.picture(named: name) == picture)
    }

    @Test func folderThatCannotBeMadeIsNoTrouble() async throws {
        try home.write("a file", to: home.folders.cache)
        let files = files()
        _ = await keep(picture, in: files)
        #expect(await files.picture(named: name) == nil)
        files.removeAll()
        _ = await files.picture(named: name)
        #expect(try home.read(home.folders.cache) == "a file")
    }

    @Test(.enabled(if: SmallDisk.isPossible)) func fullDiskIsNoTrouble() async throws {
        let disk = try SmallDisk(kilobytes: 256)
        let folders = UserFolders(home: disk.folder) { _ in nil }
        let files = AvatarFiles(folders)
        files.account = Self.account
        let first = await keep([1, 2, 3], in: files)
        try disk.fill()
        let large = [UInt8](repeating: 7, count: 100_000)
        let name = await keep(large, in: files)
        #expect(await files.picture(named: name) == nil)
        #expect(await files.picture(named: first) == [1, 2, 3])
        let left = try FileManager.default.contentsOfDirectory(
            atPath: Self.folder(in: folders, of: Self.account))
        #expect(left == [first], "nothing remains of it")
        disk.empty()
        _ = await keep(large, in: files)
        #expect(await files.picture(named: name) == large)
        try disk.setReadOnly(true)
        let last = await keep([4], in: files)
        #expect(await files.picture(named: last) == nil)
        #expect(await files.picture(named: first) == [1, 2, 3])
        files.removeAll()
        #expect(await files.picture(named: first) == [1, 2, 3], "nothing can be removed now")
    }
}
