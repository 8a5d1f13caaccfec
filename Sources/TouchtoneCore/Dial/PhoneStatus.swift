// SPDX-License-Identifier: GPL-3.0-or-later

/// A message stays until the next key; then the phone is `ready` again, or still `dialling`.
public enum PhoneStatus: Hashable, Sendable {
    case ready
    case full
    /// The pasted or dropped text contains no number, or the display has none to dial or copy.
    case noNumber
    /// The pasted, dropped or linked number is too long.
    case tooLong
    case linkRefused
    /// The displayed number is one of an emergency service.
    case emergencyNumber
    /// No line reaches the emergency service of the displayed number, which was not dialled.
    case cannotReachHelp
    /// The displayed number is the one dialled last: Dial dials it again.
    case redial
    /// The display is empty, and no number has been dialled yet.
    case enterNumber
    /// MEM prompts for the memory key to dial; the caption shows what to do.
    case memoryToDial
    /// MEM prompts for the memory key in which to store the number.
    case memoryToStore
    case memoryStored(Int)
    case memoryEmpty(Int)
    /// The displayed number is that of a chosen contact.
    case chosen(name: String)
    case copied
    /// The line has the number, and has not reported progress.
    case dialling
    case ringing
    /// The call is connected: its duration in seconds, and the keys sent.
    case connected(seconds: Int, digits: String, isMuted: Bool, lacksMicrophone: Bool)
    /// The call is connected, but nothing has been heard for a minute: its duration in seconds.
    case unheard(seconds: Int)
    /// The call is connected, but keys do not reach the far end: its duration in seconds.
    case keysNotSent(seconds: Int, isMuted: Bool)
    /// Two calls are joined: the duration of the first in seconds.
    case joined(seconds: Int, isMuted: Bool)
    /// These digits behind the number wait for the user's confirmation.
    case waitsToSend(String)
    case held
    /// The far end has put the call on hold.
    case heldByFarEnd
    case transferring
    /// The call could not be transferred, and is still on hold.
    case notTransferred
    /// A call rings, and the large line shows the caller: the name of the call's line, and whether the caller offers text.
    case incoming(line: String, hasText: Bool = false)
    /// A call comes in during another one: the caller's name or number as it is shown.
    case waiting(from: String)
    /// The answering machine has a call, and the large line shows the caller.
    case onMachine(isRecording: Bool)
    /// The call cannot be recorded.
    case notRecorded
    /// An answered call ended, after that many seconds; of one for practice, the caption shows the way to real ones.
    case callEnded(seconds: Int, isPractice: Bool = false)
    /// An incoming call was missed: the number as it is shown.
    case missed(from: String)
    /// No further call is possible.
    case linesInUse
    /// The number was not reached, or the call was not answered.
    case notReached(CallEndReason)
    /// The number was sent to another app: its name.
    case sent(to: String)
    /// No other app handles `tel:` links.
    case noTelHandler
    /// The user is to choose a line before the first number is dialled.
    case chooseLine
    /// No line can call the displayed SIP address.
    case noSIPAccount
    /// No line can call the displayed Jabber address.
    case noJabberAccount
    /// The chosen line calls Jabber addresses only, and not the displayed number.
    case peopleOnly
    /// The line has no voicemail, or its number is not known.
    case noVoicemail
    /// A call rings at an extension, and cannot be picked up.
    case noPickup
    /// The app that handles `tel:` links did not start: its name.
    case handlerFailed(name: String)
    /// The phone can't be locked before a passcode is set.
    case noPasscode
    case noSound
    /// Neither the ringing device nor another is available.
    case noRinger
    case soundFound
    case toneSetIncomplete
    case tonePlanMissing
}

extension PhoneStatus {
    /// The number of characters of the longest English text: a row of the display shows as many.
    public static let maximumTextLength = 24

    /// Whether it says that a number can be dialled.
    var isReady: Bool {
        switch self {
        case .ready, .chosen, .emergencyNumber: true
        default: false
        }
    }

    /// Upper-case printable ASCII in English; names and numbers are cut to fit, translations shown smaller.
    public var text: String {
        switch self {
        case .ready: localizedIn("segment display", "READY")
        case .full: localizedIn("segment display", "FULL")
        case .noNumber: localizedIn("segment display", "NO NUMBER")
        case .tooLong: localizedIn("segment display", "TOO LONG")
        case .linkRefused: localizedIn("segment display", "INVALID LINK")
        case .cannotReachHelp: localizedIn("segment display", "CANNOT REACH HELP")
        case .redial: localizedIn("segment display", "REDIAL")
        case .enterNumber: localizedIn("segment display", "ENTER A NUMBER")
        case .memoryToDial, .memoryToStore: localizedIn("segment display", "MEMORY")
        case .memoryStored(let digit):
            localizedIn("segment display", "STORED {digit}", ["digit": String(digit)])
        case .memoryEmpty(let digit):
            localizedIn("segment display", "MEM {digit} EMPTY", ["digit": String(digit)])
        // The caption shows the rest.
        case .chosen, .emergencyNumber, .chooseLine: localizedIn("segment display", "READY")
        case .copied: localizedIn("segment display", "COPIED")
        case .dialling: localizedIn("segment display", "DIALLING")
        case .ringing: localizedIn("segment display", "RINGING")
        case .connected(let seconds, let digits, let isMuted, let lacksMicrophone):
            Self.text(seconds: seconds, digits: digits, isMuted: isMuted, lacksMicrophone: lacksMicrophone)
        case .unheard(let seconds):
            Self.joined([
                DurationText.text(seconds: seconds), localizedIn("segment display", "NOTHING HEARD"),
            ])
        case .keysNotSent(let seconds, let isMuted):
            Self.joined([
                isMuted ? localizedIn("segment display", "MUTE") : DurationText.text(seconds: seconds),
                localizedIn("segment display", "KEYS NOT SENT"),
            ])
        case .joined(let seconds, let isMuted):
            Self.joined([
                DurationText.text(seconds: seconds), localizedIn("segment display", "JOINED"),
                isMuted ? localizedIn("segment display", "MUTE") : "",
            ])
        case .waitsToSend(let keys):
            Self.cutting(keys) { localizedIn("segment display", "SEND: {keys}", ["keys": $0]) }
        case .held: localizedIn("segment display", "ON HOLD")
        case .heldByFarEnd: localizedIn("segment display", "HELD BY OTHER PARTY")
        case .transferring: localizedIn("segment display", "TRANSFERRING")
        case .notTransferred: localizedIn("segment display", "NOT TRANSFERRED")
        case .incoming(let line, true):
            line.isEmpty
                ? localizedIn("segment display", "CALL WITH TEXT")
                : localizedIn("segment display", "TEXT CALL ON {line}", ["line": line])
        case .incoming(let line, false):
            line.isEmpty
                ? localizedIn("segment display", "CALL")
                : localizedIn("segment display", "CALL ON {line}", ["line": line])
        case .waiting(let number):
            Self.fitting(number) {
                [
                    localizedIn("segment display", "CALL FROM {number}", ["number": $0]),
                    localizedIn("segment display", "CALL {number}", ["number": $0]),
                ]
            }
        case .onMachine(let isRecording):
            isRecording
                ? localizedIn("segment display", "RECORDING")
                : localizedIn("segment display", "MACHINE ANSWERS")
        case .notRecorded: localizedIn("segment display", "NOT RECORDED")
        case .callEnded(let seconds, _):
            localizedIn("segment display", "ENDED {time}", ["time": DurationText.text(seconds: seconds)])
        case .missed(let number):
            Self.fitting(number) {
                [
                    localizedIn("segment display", "MISSED FROM {number}", ["number": $0]),
                    localizedIn("segment display", "MISSED {number}", ["number": $0]),
                ]
            }
        case .linesInUse: localizedIn("segment display", "LINES IN USE")
        case .notReached(let end): Self.text(end)
        case .sent(let name):
            Self.segmentName(ofApp: name).map {
                Self.cutting($0) { localizedIn("segment display", "SENT TO {app}", ["app": $0]) }
            } ?? localizedIn("segment display", "SENT")
        case .noTelHandler: localizedIn("segment display", "NO TEL: APP")
        case .noSIPAccount: localizedIn("segment display", "NO SIP ACCOUNT")
        case .noVoicemail: localizedIn("segment display", "NO VOICEMAIL")
        case .noPickup: localizedIn("segment display", "NO PICKUP")
        case .noJabberAccount: localizedIn("segment display", "NO JABBER ACCOUNT")
        case .peopleOnly: localizedIn("segment display", "NO NUMBERS ON LINE")
        case .handlerFailed(let name):
            Self.segmentName(ofApp: name).map {
                Self.cutting($0) { localizedIn("segment display", "FAILED: {app}", ["app": $0]) }
            } ?? localizedIn("segment display", "FAILED")
        case .noPasscode: localizedIn("segment display", "NO PASSCODE")
        case .noSound: localizedIn("segment display", "NO SOUND")
        case .noRinger: localizedIn("segment display", "NO RINGER")
        case .soundFound: localizedIn("segment display", "SOUND OK")
        case .toneSetIncomplete: localizedIn("segment display", "TONE SET INCOMPLETE")
        case .tonePlanMissing: localizedIn("segment display", "TONE PLAN NOT FOUND")
        }
    }

    /// The kind of the number or a question, in the caption in place of a suggestion; nil for none.
    public var prompt: String? {
        switch self {
        case .emergencyNumber: localizedIn("segment display", "EMERGENCY NUMBER")
        case .chooseLine: localizedIn("segment display", "CHOOSE A LINE")
        default: nil
        }
    }

    /// Returns an app's name in characters of the segment display; nil if it has none of them.
    private static func segmentName(ofApp name: String) -> String? {
        // A desktop entry's name may have any content and length.
        let shown = name.unicodeScalars.prefix(64).filter { (0x20...0x7E).contains($0.value) }
        let words = String(String.UnicodeScalarView(shown)).uppercased().split(separator: " ")
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    private static func cut(_ name: String, maximum: Int = maximumTextLength) -> String {
        let name = name.prefix(maximum)
        return String(name.last == " " ? name.dropLast() : name)
    }

    private static func cutting(_ name: String, _ text: (String) -> String) -> String {
        text(cut(name, maximum: room(beside: text(""), atLeast: 16)))
    }

    /// Returns the room for a value in a text: at least `minimum`, also beside a long translation.
    private static func room(beside text: String, atLeast minimum: Int) -> Int {
        max(minimum, maximumTextLength - text.count)
    }

    init(_ error: TelURIError) {
        switch error {
        case .notATelLink, .malformedEscape: self = .linkRefused
        case .noDigits: self = .noNumber
        case .tooLong: self = .tooLong
        }
    }

    init(_ error: SIPURIError) {
        switch error {
        case .notASIPLink, .malformedEscape, .noAddress: self = .linkRefused
        case .tooLong: self = .tooLong
        }
    }

    init(_ notice: ToneNotice) {
        switch notice {
        case .deviceLost(.tones): self = .noSound
        case .deviceLost(.ringer): self = .noRinger
        case .deviceFound: self = .soundFound
        case .toneSetIncomplete: self = .toneSetIncomplete
        case .tonePlanMissing: self = .tonePlanMissing
        }
    }

    init(_ end: CallEndReason) {
        switch end {
        case .hungUp: self = .ready
        case .handedOver(let name): self = .sent(to: name)
        case .noTelHandler: self = .noTelHandler
        case .handlerFailed(let name, _): self = .handlerFailed(name: name)
        case .farEnd, .transferred, .answeredElsewhere, .busy, .declined, .blocked, .diverted, .noAnswer,
            .noSuchNumber, .notAvailable, .network, .connectionLost, .failed:
            self = .notReached(end)
        }
    }
}

// MARK: - Calls

extension PhoneStatus {
    /// Returns the duration, the microphone's state, and the last keys that fit; two narrow spaces part them.
    private static func text(seconds: Int, digits: String, isMuted: Bool, lacksMicrophone: Bool) -> String {
        let fault =
            isMuted
            ? localizedIn("segment display", "MUTE")
            : lacksMicrophone ? localizedIn("segment display", "NO MIC") : ""
        let text = joined([DurationText.text(seconds: seconds), fault])
        guard !digits.isEmpty else { return text }
        // At least four keys are shown beside a long translation.
        return text + "  " + digits.suffix(max(4, maximumTextLength - text.count - 2))
    }

    private static func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// Returns the first text with the number that fits, or else the last one with the end of the number.
    private static func fitting(_ number: String, _ texts: (String) -> [String]) -> String {
        if let text = texts(number).first(where: { $0.count <= maximumTextLength }) { return text }
        let room = room(beside: texts("").last ?? "", atLeast: maximumTextLength - 7)
        return texts(String(number.suffix(room))).last ?? ""
    }

    private static func text(_ end: CallEndReason) -> String {
        switch end {
        case .busy: localizedIn("segment display", "BUSY")
        case .declined, .blocked, .diverted: localizedIn("segment display", "DECLINED")
        case .noAnswer: localizedIn("segment display", "NO ANSWER")
        case .noSuchNumber: localizedIn("segment display", "NO SUCH NUMBER")
        case .notAvailable: localizedIn("segment display", "NOT AVAILABLE")
        case .network: localizedIn("segment display", "NETWORK BUSY")
        case .connectionLost: localizedIn("segment display", "CONNECTION LOST")
        case .farEnd: localizedIn("segment display", "ENDED")
        case .transferred: localizedIn("segment display", "TRANSFERRED")
        case .answeredElsewhere: localizedIn("segment display", "ANSWERED ELSEWHERE")
        case .failed, .hungUp, .handedOver, .noTelHandler, .handlerFailed:
            localizedIn("segment display", "FAILED")
        }
    }
}
