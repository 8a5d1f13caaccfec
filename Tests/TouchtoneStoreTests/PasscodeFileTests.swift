// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing
import TouchtoneCore

@testable import TouchtoneStore

/// Tests of the passcode in a file, on a machine without a Secret Service.
@MainActor
@Suite(.serialized) struct PasscodeFileTests {
    private let home = Home()
    private let hash = CountingHash()
    private let code: Passcode

    init() throws {
        code = try #require(Passcode("1234"))
        Bus.useNone()
    }

    private var vault: PasscodeVault { PasscodeVault(folders: home.folders, hash: hash) }

    @Test func lookupFindsNothingAndCreatesNothing() {
        #expect(vault.load() == .none)
        #expect(!home.exists(home.folder))
    }

    @Test func setPasscodeIsFoundAndCompared() async throws {
        let mark = try await vault.set(code, replacing: nil)
        #expect(mark.holder == .file)
        #expect(mark.digits == 4)
        #expect(vault.load() == .found(mark, Attempts()))
        #expect(await vault.verify(code, for: mark) == .right)
        for wrong in ["0234", "1034", "1204", "1230", "0000"] {
            let before = hash.count
            #expect(await vault.verify(try #require(Passcode(wrong)), for: mark) == .wrong)
            #expect(hash.count == before + 1, "one computation to each verdict")
        }
    }

    @Test func onlyUserCanReadFiles() async throws {
        let mark = try await vault.set(code, replacing: nil)
        try await vault.save(LockRecord(mark: mark, attempts: Attempts()))
        for file in [home.state, home.record] { #expect(try home.permissions(of: file) == 0o600) }
        for folder in [home.folders.state, home.folders.data] {
            #expect(try home.permissions(of: folder) == 0o700)
        }
        #expect(!(try home.read(home.record)).contains("1234"))
    }

    @Test func folderOpenToOthersIsMadePrivate() async throws {
        try FileManager.default.createDirectory(atPath: home.folders.data, withIntermediateDirectories: true)
        home.setPermissions(0o755, of: home.folders.data)
        _ = try await vault.set(code, replacing: nil)
        #expect(try home.permissions(of: home.folders.data) == 0o700)
    }

    @Test func attemptsAreStored() async throws {
        let mark = try await vault.set(code, replacing: nil)
        var attempts = Attempts()
        for failures in 1...6 {
            attempts.begin(at: BootMoment(boot: "first", time: .seconds(failures)))
            try await vault.save(LockRecord(mark: mark, attempts: attempts))
            #expect(vault.load() == .found(mark, attempts))
        }
    }

    @Test func removedPasscodeIsGone() async throws {
        let mark = try await vault.set(code, replacing: nil)
        try await vault.remove(mark)
        #expect(vault.load() == .none)
        #expect(!home.exists(home.state) && !home.exists(home.record))
    }

    @Test func newPasscodeReplacesOldOne() async throws {
        let old = try await vault.set(code, replacing: nil)
        let longer = try #require(Passcode("87654321"))
        let state = try home.read(home.state)
        let new = try await vault.set(longer, replacing: old)
        #expect(new.id == old.id)
        #expect(await vault.verify(longer, for: new) == .right)
        // Interrupted between its two files: the new passcode is requested, and unlocks.
        try home.write(state, to: home.state)
        #expect(vault.load() == .found(new, Attempts()))
        #expect(await vault.verify(code, for: old) == .length(8))
    }

    // MARK: Altered files

    @Test func missingRecordKeepsPhoneLocked() async throws {
        let mark = try await vault.set(code, replacing: nil)
        try home.remove(home.record)
        #expect(vault.load() == .unusable(.missing))
        #expect(await vault.verify(code, for: mark) == .unusable(.missing))
    }

    @Test func truncatedRecordKeepsPhoneLocked() async throws {
        let mark = try await vault.set(code, replacing: nil)
        let whole = try home.read(home.record)
        for length in 0..<whole.utf8.count {
            try home.write(String(whole.prefix(length)), to: home.record)
            #expect(vault.load() == .unusable(.damaged), "cut to \(length)")
        }
        #expect(await vault.verify(code, for: mark) == .unusable(.damaged))
        #expect(hash.count == 0)
    }

    @Test func foreignRecordKeepsPhoneLocked() async throws {
        let mark = try await vault.set(code, replacing: nil)
        let other = Home()
        let known = try #require(Passcode("0000"))
        _ = try await PasscodeVault(folders: other.folders, hash: hash).set(known, replacing: nil)
        try home.write(try other.read(other.record), to: home.record)
        #expect(vault.load() == .unusable(.another))
        #expect(await vault.verify(known, for: mark) == .unusable(.another))
        try home.write(try home.read(home.state), to: home.record)
        #expect(vault.load() == .unusable(.damaged))
    }

    @Test func lostStateResetsAttemptsButKeepsPasscode() async throws {
        let mark = try await vault.set(code, replacing: nil)
        let whole = try home.read(home.state)
        for text in [""] + (1..<whole.count).map({ String(whole.prefix($0)) }) + ["x\n", whole + whole] {
            try home.write(text, to: home.state)
            #expect(vault.load() == .found(mark, nil))
        }
        try home.remove(home.state)
        #expect(vault.load() == .found(mark, nil))
    }

    @Test func phoneStaysLockedIfBothFilesAreDamaged() async throws {
        _ = try await vault.set(code, replacing: nil)
        for (state, record) in [("", ""), ("x", ""), ("", "x"), ("\0", "\u{1F600}")] {
            try home.write(state, to: home.state)
            try home.write(record, to: home.record)
            #expect(vault.load() == .unusable(.damaged))
        }
        try home.remove(home.record)
        #expect(vault.load() == .unusable(.damaged), "an empty state says that there was a passcode")
        try home.remove(home.state)
        try home.write("", to: home.record)
        #expect(vault.load() == .unusable(.damaged))
    }

    @Test func recordWritableByOthersIsNotTrusted() async throws {
        _ = try await vault.set(code, replacing: nil)
        for mode: mode_t in [0o620, 0o602, 0o666, 0o777] {
            home.setPermissions(mode, of: home.record)
            #expect(vault.load() == .unusable(.unsafe))
        }
        home.setPermissions(0o600, of: home.record)
        home.setPermissions(0o666, of: home.state)
        guard case .found(_, nil) = vault.load() else {
            Issue.record("attempts that others could write are not known: \(vault.load())")
            return
        }
    }

    @Test func recordReadableByOthersIsMadePrivate() async throws {
        let mark = try await vault.set(code, replacing: nil)
        for path in [home.state, home.record] { home.setPermissions(0o644, of: path) }
        #expect(vault.load() == .found(mark, Attempts()))
        for path in [home.state, home.record] { #expect(try home.permissions(of: path) == 0o600) }
    }

    @Test func specialFilesAreNeitherFollowedNorAwaited() async throws {
        _ = try await vault.set(code, replacing: nil)
        try FileManager.default.moveItem(atPath: home.record, toPath: home.record + ".moved")
        try FileManager.default.createSymbolicLink(
            atPath: home.record, withDestinationPath: home.record + ".moved")
        #expect(vault.load() == .unusable(.unsafe))
        try home.remove(home.record)
        mkfifo(home.record, 0o600)
        #expect(vault.load() == .unusable(.unsafe))
        try home.remove(home.record)
        try FileManager.default.createDirectory(atPath: home.record, withIntermediateDirectories: false)
        #expect(vault.load() == .unusable(.unsafe))
    }

    @Test func hugeFileIsNotReadToItsEnd() async throws {
        _ = try await vault.set(code, replacing: nil)
        try home.write(String(repeating: "touchtone-lock 1\n", count: 1_000_000), to: home.state)
        try home.write(String(repeating: "x", count: 10_000_000), to: home.record)
        #expect(vault.load() == .unusable(.damaged))
    }

    @Test(arguments: [
        "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA", "$argon2id$v=19$m=65535,t=2,p=1$c2FsdA$aGFzaA",
        "$argon2id$v=19$m=4294967295,t=2,p=1$c2FsdA$aGFzaA",
        "$argon2id$v=19$m=65536,t=4294967295,p=1$c2FsdA$aGFzaA",
        "$argon2id$v=19$m=65536,t=2,p=99$c2FsdA$aGFzaA", "$argon2id$v=19$m=,t=,p=$$", "$argon2id$",
    ])
    func hashWithExtremeCostIsNotComputed(_ text: String) async throws {
        let mark = try await vault.set(code, replacing: nil)
        let record = try #require(HashRecord(id: mark.id, digits: 4, hash: text))
        try home.write(record.text, to: home.record)
        #expect(vault.load() == .unusable(.damaged))
        #expect(await vault.verify(code, for: mark) == .unusable(.damaged))
        #expect(hash.count == 0)
    }

    @Test func unwritableDiskIsReported() async throws {
        try home.write("", to: home.folders.state)  // A file blocks the folder's path.
        let mark = try #require(
            PasscodeMark(id: String(repeating: "0a", count: 16), holder: .file, digits: 4))
        do throws(PasscodeError) {
            try await vault.save(LockRecord(mark: mark, attempts: Attempts()))
            Issue.record("it was saved")
        } catch {
            #expect(error == .notSaved(reason: "Not a directory"))
        }
    }

    @Test func passcodeIsNotSetIfStateCannotBeSaved() async throws {
        try home.write("", to: home.folders.state)  // A file blocks the folder's path.
        await #expect(throws: PasscodeError.notSaved(reason: "Not a directory")) {
            _ = try await vault.set(code, replacing: nil)
        }
        #expect(vault.load() == .none)
        #expect(!home.exists(home.record))
    }

    @Test func changeKeepsOldPasscodeIfStateCannotBeSaved() async throws {
        let old = try await vault.set(code, replacing: nil)
        let record = try home.read(home.record)
        try home.remove(home.state)
        // The target of the state's renaming cannot be a folder.
        try FileManager.default.createDirectory(atPath: home.state, withIntermediateDirectories: false)
        let new = try #require(Passcode("87654321"))
        await #expect(throws: PasscodeError.notSaved(reason: "Is a directory")) {
            _ = try await vault.set(new, replacing: old)
        }
        #expect(try home.read(home.record) == record)
        #expect(await vault.verify(code, for: old) == .right)
    }

    @Test func leftoversOfCrashDoNotPreventWriting() async throws {
        let mark = try await vault.set(code, replacing: nil)
        try home.write("half", to: home.state + ".new")
        try await vault.save(LockRecord(mark: mark, attempts: Attempts()))
        #expect(vault.load() == .found(mark, Attempts()))
        #expect(!home.exists(home.state + ".new"))
    }

    @Test func singleReadFailureIsNotDamage() async throws {
        let mark = try await vault.set(code, replacing: nil)
        try await vault.save(LockRecord(mark: mark, attempts: Attempts()))
        // A name that is too long for the system stands for any failure to open, because root may read all files.
        let long = String(repeating: "x", count: 300)
        let failing = PrivateFile(folder: home.folders.data, name: long)
        guard case .failed(let error) = failing.read() else {
            Issue.record("\(failing.read())")
            return
        }
        #expect(error.reason == "File name too long")
        let vaultThatFails = PasscodeVault(folders: home.folders, hash: hash, record: failing)
        #expect(vaultThatFails.load() == .found(mark, Attempts()))
        #expect(await vaultThatFails.verify(code, for: mark) == .unavailable(.notRead(reason: error.reason)))
        #expect(await vault.verify(code, for: mark) == .right)
        await #expect(throws: PasscodeError.notRead(reason: error.reason)) {
            _ = try await vaultThatFails.set(code, replacing: mark)
        }
        try home.remove(home.state)
        #expect(vaultThatFails.load() == .unusable(.unread))
    }

    @Test func userSeesShortFileNames() {
        #expect(vault.files == ["~/.local/state/touchtone/lock", "~/.local/share/touchtone/passcode"])
    }
}
