// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

@Suite struct LockRecordTests {
    private static let id = String(repeating: "c3", count: 16)
    private static let hash = "$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA"

    private static var records: [LockRecord] {
        get throws {
            let mark = try #require(PasscodeMark(id: id, holder: .keyring, digits: 6))
            let moment = BootMoment(boot: "8d6b1e6e-0000-4000-8000-000000000000", time: .milliseconds(12_345))
            let wait = Attempts.Wait(left: .milliseconds(599_001), moment: moment)
            return [
                LockRecord(mark: mark, attempts: Attempts()),
                LockRecord(mark: mark, attempts: try #require(Attempts(failures: 3, wait: nil))),
                LockRecord(mark: mark, attempts: try #require(Attempts(failures: 5, wait: wait))),
            ]
        }
    }

    @Test func recordRoundTrips() throws {
        for record in try Self.records { #expect(LockRecord(text: record.text) == record) }
        let hash = try #require(HashRecord(id: Self.id, digits: 4, hash: Self.hash))
        #expect(HashRecord(text: hash.text) == hash)
    }

    @Test func keyringMarkerRoundTrips() throws {
        let mark = try #require(PasscodeMark(id: Self.id, holder: .keyring, digits: 6))
        let note = try #require(mark.note)
        #expect(PasscodeMark(note: note) == mark)
        #expect(HashRecord(text: note) == nil)
        #expect(LockRecord(text: note) == nil)
        for length in 0..<note.count { #expect(PasscodeMark(note: String(note.prefix(length))) == nil) }
        #expect(PasscodeMark(note: note.replacing("keyring", with: "file")) == nil)
        #expect(PasscodeMark(id: Self.id, holder: .file, digits: 6)?.note == nil)
    }

    @Test func truncatedRecordIsInvalid() throws {
        for record in try Self.records {
            for length in 0..<record.text.count {
                #expect(LockRecord(text: String(record.text.prefix(length))) == nil, "cut to \(length)")
            }
        }
        let hash = try #require(HashRecord(id: Self.id, digits: 4, hash: Self.hash)).text
        for length in 0..<hash.count { #expect(HashRecord(text: String(hash.prefix(length))) == nil) }
    }

    @Test func recordKindsAreNotConfused() throws {
        let hash = try #require(HashRecord(id: Self.id, digits: 4, hash: Self.hash))
        #expect(LockRecord(text: hash.text) == nil)
        for record in try Self.records { #expect(HashRecord(text: record.text) == nil) }
    }

    @Test func alteredRecordIsInvalidOrWithinBounds() throws {
        // Replaces bytes, and drops or doubles lines.
        for record in try Self.records {
            let bytes = Array(record.text.utf8)
            for index in bytes.indices {
                for byte in [0, 9, 10, 13, 32, 45, 48, 57, 97, 127] as [UInt8] where bytes[index] != byte {
                    var changed = bytes
                    changed[index] = byte
                    guard let read = LockRecord(text: String(decoding: changed, as: UTF8.self)) else {
                        continue
                    }
                    #expect(Passcode.lengths.contains(read.mark.digits))
                    #expect(read.attempts.failures >= 0)
                    let left = read.attempts.wait?.left ?? .zero
                    #expect(left <= Attempts.wait(after: read.attempts.failures) ?? .zero)
                }
            }
            let lines = record.text.split(separator: "\n")
            for index in lines.indices {
                let dropped = lines.enumerated().filter { $0.offset != index }.map(\.element)
                let doubled = lines[...index] + lines[index...]
                for text in [dropped.joined(separator: "\n"), doubled.joined(separator: "\n")] {
                    #expect(LockRecord(text: text + "\n") == nil)
                }
            }
        }
    }

    @Test(arguments: [
        "", "$argon2id$", "$argon2i$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA", "plain",
        "$argon2id$ \n", "$argon2id$\u{e9}", "$argon2id$" + String(repeating: "a", count: 118),
    ])
    func invalidHashIsNotStored(_ text: String) {
        #expect(HashRecord(id: Self.id, digits: 4, hash: text) == nil || text == "$argon2id$")
    }

    @Test func outOfRangeNumbersAreRefused() {
        for digits in [3, 9, -4, Int.max] {
            #expect(HashRecord(id: Self.id, digits: digits, hash: Self.hash) == nil)
        }
        for id in ["", "c3", Self.id.uppercased(), Self.id + "0", String(repeating: "g", count: 32)] {
            #expect(PasscodeMark(id: id, holder: .file, digits: 4) == nil)
        }
        #expect(LockRecord(text: String(repeating: "touchtone-lock 1\n", count: 100_000)) == nil)
    }
}
