// SPDX-License-Identifier: GPL-3.0-or-later

/// What the status line of the display says.
///
/// A message stays until the next key is pressed; then the phone is `ready` again, or still `dialling`.
public enum PhoneStatus: Hashable, Sendable {
    /// Nothing is the matter.
    case ready
    /// The number holds no more characters.
    case full
    /// There was no number in what was pasted or dropped, or nothing to call or to copy in the display.
    case noNumber
    /// The number in what was pasted, dropped or linked is longer than a number can be.
    case tooLong
    /// The link is none that the phone can read.
    case linkRefused
    /// The number in the display is the one dialled last: Dial calls it again.
    case redial
    /// There is no number, and none has been dialled yet.
    case enterNumber
    /// MEM asks which memory key to dial.
    case memoryToDial
    /// MEM asks which memory key is to hold the number.
    case memoryToStore
    /// A memory key holds the number now: its digit.
    case memoryStored(Int)
    /// A memory key holds nothing: its digit.
    case memoryEmpty(Int)
    /// The number in the display is that of somebody who was chosen.
    case chosen(name: String)
    /// The number is in the clipboard.
    case copied
    /// A line has the number and has not said what became of it.
    case dialling
    /// The far end rings.
    case ringing
    /// Both ends hear one another: for how many seconds, and which keys were sent.
    case connected(seconds: Int, digits: String, isMuted: Bool, lacksMicrophone: Bool)
    /// Two calls are joined: for how many seconds the first has gone on.
    case joined(seconds: Int, isMuted: Bool)
    /// Keys that were dialled behind the number wait for a word: these.
    case waitsToSend(String)
    /// The call waits.
    case held
    /// Somebody calls: the number as it is shown.
    case incoming(from: String)
    /// A call is over that both ends heard one another in, for so many seconds.
    case callEnded(seconds: Int)
    /// Somebody called and was not answered: the number as it is shown.
    case missed(from: String)
    /// There are as many calls as there can be.
    case linesInUse
    /// The number was not reached, or nobody answered.
    case notReached(CallEndReason)
    /// Another program has the number: its name.
    case sent(to: String)
    /// No other program handles `tel:` links.
    case noTelHandler
    /// The program that handles them did not start: its name.
    case handlerFailed(name: String)
    /// The phone can't be locked before a passcode is set.
    case noPasscode
    /// No sound device can be had.
    case noSound
    /// The device for ringing cannot be had, nor any other in its place.
    case noRinger
    /// The sound device is back.
    case soundFound
    /// The tone set lacks tones.
    case toneSetIncomplete
    /// The tone plan that was chosen is not there.
    case tonePlanMissing
}

extension PhoneStatus {
    /// The longest text, in characters: as much as the segment display shows in its second line.
    public static let maximumTextLength = 24

    /// The message as displayed: upper-case printable ASCII, at most `maximumTextLength` characters.
    public var text: String {
        switch self {
        case .ready: localizedIn("segment display", "READY")
        case .full: localizedIn("segment display", "FULL")
        case .noNumber: localizedIn("segment display", "NO NUMBER")
        case .tooLong: localizedIn("segment display", "TOO LONG")
        case .linkRefused: localizedIn("segment display", "LINK REFUSED")
        case .redial: localizedIn("segment display", "REDIAL")
        case .enterNumber: localizedIn("segment display", "ENTER A NUMBER")
        case .memoryToDial: localizedIn("segment display", "MEM 1-9")
        case .memoryToStore: localizedIn("segment display", "STORE 1-9")
        case .memoryStored(let digit):
            localizedIn("segment display", "STORED {digit}", ["digit": String(digit)])
        case .memoryEmpty(let digit):
            localizedIn("segment display", "MEM {digit} EMPTY", ["digit": String(digit)])
        case .chosen(let name): Self.segments(of: String(name.unicodeScalars.prefix(64)))
        case .copied: localizedIn("segment display", "COPIED")
        case .dialling: localizedIn("segment display", "DIALLING")
        case .ringing: localizedIn("segment display", "RINGING")
        case .connected(let seconds, let digits, let isMuted, let lacksMicrophone):
            Self.text(seconds: seconds, digits: digits, isMuted: isMuted, lacksMicrophone: lacksMicrophone)
        case .joined(let seconds, let isMuted):
            Self.dependencies([
                Self.time(seconds), localizedIn("segment display", "JOINED"),
                isMuted ? localizedIn("segment display", "MUTE") : "",
            ])
        case .waitsToSend(let keys):
            localizedIn(
                "segment display", "SEND {keys} ?", ["keys": String(keys.prefix(Self.maximumTextLength - 7))])
        case .held: localizedIn("segment display", "ON HOLD")
        case .incoming(let number):
            Self.fitting(number) {
                [
                    localizedIn("segment display", "CALL FROM {number}", ["number": $0]),
                    localizedIn("segment display", "CALL {number}", ["number": $0]),
                ]
            }
        case .callEnded(let seconds):
            localizedIn("segment display", "ENDED {time}", ["time": Self.time(seconds)])
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
            Self.program(name).map {
                Self.cut(localizedIn("segment display", "SENT TO {program}", ["program": $0]))
            } ?? localizedIn("segment display", "SENT")
        case .noTelHandler: localizedIn("segment display", "NO TEL: APP")
        case .handlerFailed(let name):
            Self.program(name).map {
                Self.cut(localizedIn("segment display", "FAILED IN {program}", ["program": $0]))
            } ?? localizedIn("segment display", "FAILED")
        case .noPasscode: localizedIn("segment display", "NO PASSCODE")
        case .noSound: localizedIn("segment display", "NO SOUND")
        case .noRinger: localizedIn("segment display", "NO RINGER")
        case .soundFound: localizedIn("segment display", "SOUND OK")
        case .toneSetIncomplete: localizedIn("segment display", "TONE SET INCOMPLETE")
        case .tonePlanMissing: localizedIn("segment display", "TONE PLAN NOT FOUND")
        }
    }

    /// A name as the segments can show it; READY where they can show nothing of it.
    private static func segments(of name: String) -> String {
        let shown = name.uppercased().unicodeScalars.filter { (0x20...0x5F).contains($0.value) }
        let words = String(String.UnicodeScalarView(shown)).split(separator: " ")
        return words.isEmpty ? ready.text : cut(words.joined(separator: " "))
    }

    /// A program's name as the segments can show it; nil where they can show nothing of it.
    private static func program(_ name: String) -> String? {
        // A desktop entry may call itself anything, at any length.
        let shown = name.unicodeScalars.prefix(64).filter { (0x20...0x7E).contains($0.value) }
        let words = String(String.UnicodeScalarView(shown)).uppercased().split(separator: " ")
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// As much of a text as the segments hold.
    private static func cut(_ text: String) -> String {
        let text = text.prefix(maximumTextLength)
        return String(text.last == " " ? text.dropLast() : text)
    }

    /// The status that tells why a link was refused.
    init(_ error: TelURIError) {
        switch error {
        case .notATelLink, .malformedEscape: self = .linkRefused
        case .noDigits: self = .noNumber
        case .tooLong: self = .tooLong
        }
    }

    /// The status that tells of a notice of the tones.
    init(_ notice: ToneNotice) {
        switch notice {
        case .deviceLost(.tones): self = .noSound
        case .deviceLost(.ringer): self = .noRinger
        case .deviceFound: self = .soundFound
        case .toneSetIncomplete: self = .toneSetIncomplete
        case .tonePlanMissing: self = .tonePlanMissing
        }
    }

    /// The status that tells why a call ended or was refused.
    init(_ end: CallEndReason) {
        switch end {
        case .hungUp: self = .ready
        case .handedOver(let name): self = .sent(to: name)
        case .noTelHandler: self = .noTelHandler
        case .handlerFailed(let name, _): self = .handlerFailed(name: name)
        case .farEnd, .transferred, .busy, .declined, .noAnswer, .noSuchNumber, .network, .failed:
            self = .notReached(end)
        }
    }
}

// MARK: - Words of calls

extension PhoneStatus {
    /// The length of a call, such as `0:42` or `1:02:03`.
    public static func time(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, seconds) = (seconds / 60, seconds % 60)
        guard minutes >= 60 else { return "\(minutes):\(two(seconds))" }
        return "\(minutes / 60):\(two(minutes % 60)):\(two(seconds))"
    }

    /// The length of the call, what is the matter with the microphone, and the last of the keys as far as they fit.
    ///
    /// A space of the segment display is narrow, so that there are two between them.
    private static func text(seconds: Int, digits: String, isMuted: Bool, lacksMicrophone: Bool) -> String {
        let fault =
            isMuted
            ? localizedIn("segment display", "MUTE")
            : lacksMicrophone ? localizedIn("segment display", "NO MIC") : ""
        let text = dependencies([time(seconds), fault])
        guard !digits.isEmpty else { return text }
        return text + "  " + digits.suffix(max(0, maximumTextLength - text.count - 2))
    }

    /// The parts that there are, in a line.
    private static func dependencies(_ dependencies: [String]) -> String {
        dependencies.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// The first of the texts with a number that fits; the last with the end of the number, which tells more than its
    /// beginning, where none does.
    private static func fitting(_ number: String, _ texts: (String) -> [String]) -> String {
        if let text = texts(number).first(where: { $0.count <= maximumTextLength }) { return text }
        let room = maximumTextLength - (texts("").last?.count ?? 0)
        return texts(String(number.suffix(max(0, room)))).last ?? ""
    }

    private static func text(_ end: CallEndReason) -> String {
        switch end {
        case .busy: localizedIn("segment display", "BUSY")
        case .declined: localizedIn("segment display", "DECLINED")
        case .noAnswer: localizedIn("segment display", "NO ANSWER")
        case .noSuchNumber: localizedIn("segment display", "NO SUCH NUMBER")
        case .network: localizedIn("segment display", "NETWORK BUSY")
        case .farEnd: localizedIn("segment display", "ENDED")
        case .transferred: localizedIn("segment display", "TRANSFERRED")
        case .failed, .hungUp, .handedOver, .noTelHandler, .handlerFailed:
            localizedIn("segment display", "FAILED")
        }
    }
}
