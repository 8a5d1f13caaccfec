// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension PhoneStatus {
    /// A status of each kind, with the longest values.
    static let examples: [PhoneStatus] = [
        .ready, .full, .noNumber, .tooLong, .linkRefused, .redial, .enterNumber, .memoryToDial,
        .memoryToStore, .memoryStored(9), .memoryEmpty(9), .chosen(name: "GRACE BREWSTER MURRAY HOPPER"),
        .copied, .dialling, .ringing,
        .connected(seconds: 359_999, digits: "123456789", isMuted: true, lacksMicrophone: false),
        .connected(seconds: 1, digits: "", isMuted: false, lacksMicrophone: true), .unheard(seconds: 359_999),
        .keysNotSent(seconds: 359_999, isMuted: false), .keysNotSent(seconds: 1, isMuted: true),
        .joined(seconds: 359_999, isMuted: true), .waitsToSend("1234567890123456789"), .held,
        .heldByFarEnd, .transferring, .notTransferred, .onMachine(isRecording: false),
        .onMachine(isRecording: true),
        .notRecorded,
        .incoming(line: "PRACTICE"), .incoming(line: "PRACTICE", hasText: true),
        .incoming(line: "", hasText: true), .waiting(from: "(555) 867-5309"), .callEnded(seconds: 42),
        .callEnded(seconds: 359_999, isPractice: true),
        .missed(from: "WWWWWWWWWWWWWWWWWWWW"),
        .linesInUse, .notReached(.busy), .notReached(.declined), .notReached(.noAnswer),
        .notReached(.noSuchNumber), .notReached(.notAvailable), .notReached(.network),
        .notReached(.connectionLost), .notReached(.farEnd),
        .notReached(.transferred),
        .sent(to: "WWWWWWWWWWWWWWWWWWWWWWWW"), .noTelHandler, .handlerFailed(name: "A Telephone Program"),
        .chooseLine, .emergencyNumber, .cannotReachHelp, .noVoicemail, .noPickup, .noPasscode, .noSound,
        .noRinger,
        .soundFound,
        .toneSetIncomplete,
        .tonePlanMissing,
    ]
}
