// SPDX-License-Identifier: GPL-3.0-or-later

public enum SIPCommand: Codable, Hashable, Sendable {
    /// Adds an account, or replaces the one with its id, and registers it; without `relayPassword`, a TURN
    /// server is used as a STUN server.
    case setAccount(SIPAccount, password: String, relayPassword: String = "")
    /// Unregisters an account and removes it; its calls end.
    case removeAccount(id: String)
    case setNetwork(isAvailable: Bool)
    /// Registers all accounts again, after a sleep or at a new address, and renews calls' (re-INVITE).
    case refresh
    /// Changes the sound devices, also of calls that exist.
    case setDevices(SIPDevices)
    case call(SIPCallID, SIPCallCommand)
    /// Watches these extensions of an account, by their addresses, and no others; `SIPEvent.extension` follows for each.
    case watch(account: String, addresses: [String])
    /// Changes the microphone, also of calls that exist.
    case setMicrophone(SIPMicrophone)
    /// Takes real-time text that far ends offer from now on, or refuses it, and ends that of calls that exist.
    case setTakesText(Bool)
}

/// A command for a call; one for a call that does not exist is ignored, because the call may have just ended.
public enum SIPCallCommand: Codable, Hashable, Sendable {
    /// Calls an address (`sip:` or `sips:`, RFC 3261, section 19.1); the phone chooses the id, an even number
    /// that it has not used before on this connection.
    case dial(account: String, address: String)
    /// Tells the far end of an incoming call that the phone rings (180).
    case ring
    case answer
    /// Ends, declines or cancels a call, depending on its state; `SIPCallEvent.ended` follows.
    case hangUp
    /// Declines an incoming call because the phone is busy (486).
    case declineAsBusy
    /// Answers an incoming call with an address, `sip:` or `sips:`, which the caller then calls (302).
    case redirect(to: String)
    case hold
    case resume
    /// Mixes the call with another, so that the user and both far ends hear each other.
    case join(with: SIPCallID)
    /// Connects the far ends of two calls without this phone (RFC 3891, RFC 5589, section 7).
    case transfer(to: SIPCallID)
    /// Transfers a call to an address (RFC 5589, section 6).
    case transferToAddress(String)
    case setMuted(Bool)
    /// Sends a key, one of `0`–`9`, `*`, `#` and `A`–`D`, for 100 ms, by the DTMF mode of the call's account.
    case sendKey(String)
    /// Starts to send a key that the user holds. It ends with `releaseKey`, or with the next key.
    case pressKey(String)
    /// Ends the key that the user holds, if any; it lasts at least 80 ms.
    case releaseKey
    /// Asks the far end for real-time text (RFC 4103); `SIPCallEvent.textRuns` or `.textRefused` follows.
    case startText
    /// Sends a part of real-time text, in which U+0008 erases the last character and U+2028 begins a new line (ITU-T T.140);
    /// what is too much at once is sent later.
    case sendText(String)
    /// Brings the greeting for `useMachine`, a sound file that goes with the command.
    case setGreeting
    /// Lets the answering machine have a call that is about to be answered. A file for the far end's message goes with the
    /// command; it is at most that many seconds long. `SIPCallEvent.machineRecords` and `.recorded` follow.
    case useMachine(limit: Int, isAloud: Bool)
    /// Lets the user have a call that the machine has.
    case takeOver
    /// Lets the far end of a call that the machine has be heard on the ringing device, or not.
    case setAloud(Bool)
    /// Records both sides, into a file that goes with the command, until `stopRecording`; `SIPCallEvent.recorded` follows.
    case record(withTone: Bool)
    case stopRecording
    /// Requests the quality of a call; `SIPCallEvent.quality` follows.
    case measure
    /// Prepares the sound of a call whose signalling is the phone’s (Jingle, XEP-0166); `SIPCallEvent.described` follows with
    /// what the far end is to be told.
    case prepareOffer(MediaRoute)
    /// Prepares the answer to an offer of the far end, and connects the sound, without encryption if the offer has none;
    /// `SIPCallEvent.described` follows.
    case prepareAnswer(to: MediaDescription, MediaRoute)
    /// Connects the sound with the far end, which has answered the offer, with encryption.
    case connect(MediaDescription)
    /// Adds addresses of the far end that it has told later.
    case addCandidates([MediaDescription.Candidate])
    /// Tells that the far end holds the call, or has resumed it.
    case setHeldByFarEnd(Bool)
    /// Picks up the call that rings at an extension which the account watches (RFC 3891), and calls nobody if none rings. The
    /// phone chooses the id, as for `dial`.
    case pickUp(account: String, address: String)
    /// Measures the microphone from now on, or no longer; `SIPCallEvent.microphone` follows some ten times a second.
    case watchMicrophone(Bool)
}

/// The identifier of a call on one connection: even if the phone dialled the call, odd if it came in.
public struct SIPCallID: RawRepresentable, Codable, Hashable, Sendable {
    /// The number, which is never used for another call.
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
}
