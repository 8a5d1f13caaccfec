// SPDX-License-Identifier: GPL-3.0-or-later

/// A command from the phone to the process that runs the SIP engine.
///
/// The process handles commands in the order in which they arrive, and ends when the connection is closed.
public enum SIPCommand: Codable, Hashable, Sendable {
    /// Starts the engine. It is the first command of a connection, and the process answers it with `SIPEvent.ready`.
    case start(SIPConfiguration)
    /// Asks the engine whether it still works; `SIPEvent.heartbeat` with the same number follows.
    case heartbeat(Int)
    /// Adds an account and registers it, or replaces the account with the same id.
    ///
    /// Without a password for the TURN server, that is used as a STUN server.
    case setAccount(SIPAccount, password: String, relayPassword: String = "")
    /// Unregisters an account and removes it; its calls end.
    case removeAccount(id: String)
    /// Tells the engine whether the machine has a network.
    case setNetwork(isAvailable: Bool)
    /// Registers all accounts again, after the machine has slept or its address has changed, and renews the addresses
    /// of calls (re-INVITE).
    case refresh
    /// Changes the sound devices, also of calls that exist.
    case setDevices(SIPDevices)

    /// Calls an address (`sip:` or `sips:`, RFC 3261, section 19.1) from an account.
    ///
    /// The phone chooses the id, an even number that it has not used before on this connection.
    case dial(SIPCallID, account: String, address: String)
    /// Tells the far end of an incoming call that the phone rings (180).
    case ring(SIPCallID)
    /// Answers an incoming call.
    case answer(SIPCallID)
    /// Ends, declines or cancels a call, depending on its state; `SIPEvent.ended` follows.
    case hangUp(SIPCallID)
    /// Declines an incoming call because the phone is busy (486).
    case declineAsBusy(SIPCallID)
    /// Holds a call.
    case hold(SIPCallID)
    /// Resumes a held call.
    case resume(SIPCallID)
    /// Mixes two calls, so that the user and both far ends hear each other.
    case join(SIPCallID, with: SIPCallID)
    /// Connects the far ends of two calls without this phone (RFC 3891, RFC 5589, section 7).
    case transfer(SIPCallID, to: SIPCallID)
    /// Transfers a call to an address (RFC 5589, section 6).
    case transferToAddress(SIPCallID, address: String)
    /// Mutes or unmutes the microphone in a call.
    case setMuted(SIPCallID, Bool)
    /// Sends a key, one of `0`–`9`, `*`, `#` and `A`–`D`, for 100 ms, by the DTMF mode of the call's account.
    case sendKey(SIPCallID, String)
    /// Starts to send a key that the user holds. It ends with `releaseKey`, or with the next key.
    case pressKey(SIPCallID, String)
    /// Ends the key that the user holds, if any; it lasts at least 80 ms.
    case releaseKey(SIPCallID)
    /// Requests the quality of a call; `SIPEvent.quality` follows.
    case measure(SIPCallID)
}

/// The identifier of a call on one connection: even if the phone dialled the call, odd if it came in.
public struct SIPCallID: RawRepresentable, Codable, Hashable, Sendable {
    /// The number, which is never used for another call.
    public let rawValue: Int

    /// Creates an identifier from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
}
