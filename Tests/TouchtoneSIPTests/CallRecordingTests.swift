// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Glibc
import HelperMessages
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneEngine
@testable import TouchtoneSIP

/// Tests of the answering machine and of recordings in a call over SIP, on the phone's side.
@MainActor @Suite struct SIPCallRecordingTests {
    private final class Received {
        var commands: [SIPCommand] = []
        var files: [UInt64?] = []
    }

    private let received = Received()
    private let calls: EngineCalls
    private let call: SIPCall

    init() {
        calls = EngineCalls { [received] command, file in
            received.commands.append(command)
            received.files.append(file.map { Self.file($0.number) })
        }
        call = SIPCall(
            SIPCallID(rawValue: 1), from: RemoteParty(DialledNumber(), address: "sip:bob@example.org"),
            offersText: false, diversions: 0,
            calls: calls, clock: ManualScheduler())
    }

    /// Returns the file behind a descriptor.
    private static func file(_ descriptor: Int32) -> UInt64 {
        var status = stat()
        fstat(descriptor, &status)
        return UInt64(status.st_ino)
    }

    private func open(_ path: String) -> OpenFile {
        OpenFile(Glibc.open(path, O_RDONLY | O_CLOEXEC)) { close($0) }
    }

    @Test func machineGetsItsFilesBeforeTheAnswer() {
        let (greeting, recording) = (open("/etc/passwd"), open("/etc/hosts"))
        call.answer(
            with: MachineAnswer(
                greeting: greeting, recording: recording, limit: .seconds(180), isAloud: true))
        call.setAloud(false)
        call.takeOver()
        let id = SIPCallID(rawValue: 1)
        #expect(
            received.commands == [
                .call(id, .setGreeting), .call(id, .useMachine(limit: 180, isAloud: true)),
                .call(id, .answer), .call(id, .setAloud(false)), .call(id, .takeOver),
            ])
        #expect(
            received.files
                == [Self.file(greeting.descriptor), Self.file(recording.descriptor), nil, nil, nil])
    }

    @Test func bothSidesAreRecorded() {
        let file = open("/etc/hosts")
        call.record(to: file, withTone: true)
        call.stopRecording()
        let id = SIPCallID(rawValue: 1)
        #expect(received.commands == [.call(id, .record(withTone: true)), .call(id, .stopRecording)])
        #expect(received.files == [Self.file(file.descriptor), nil])
    }

    /// The end of the call ends its recording, which the engine reports then.
    @Test func endOfRecordingIsReportedAfterTheUserHasHungUp() {
        var events: [CallEvent] = []
        call.onEvent = { events.append($0) }
        calls.handle(.machineRecords, of: SIPCallID(rawValue: 1))
        call.hangUp()
        for end in SIPRecorded.End.allCases {
            calls.handle(
                .recorded(SIPRecorded(end, seconds: 2.5, isSilent: true)), of: SIPCallID(rawValue: 1))
        }
        calls.handle(.ended(SIPEnd(.phone)), of: SIPCallID(rawValue: 1))
        let ends: [RecordingEnd] = [.key, .silence, .limit, .ended, .stopped, .failed]
        #expect(
            events == [.machineRecords]
                + ends.map { .recorded(seconds: 2.5, $0, isSilent: true) })
    }
}
