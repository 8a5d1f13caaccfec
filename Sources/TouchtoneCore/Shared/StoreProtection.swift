// SPDX-License-Identifier: GPL-3.0-or-later

/// The reason why the key of the stored data cannot be used.
public enum StoreKeyProblem: Error, Hashable, Sendable {
    /// There is no keyring, with the system's reason.
    case noKeyring(String)
    /// The keyring is locked, or refused or did not respond, with its reason.
    case keyringRefused(String)
    /// The keyring has no key for the file.
    case missing
    /// The key in the keyring is not that of the file.
    case wrong
    /// SQLCipher is missing or too old, with the reason in English.
    case noLibrary(String)
}

/// The user’s decision about an encrypted file that cannot be opened.
public enum StoreKeyDecision: Hashable, Sendable {
    case tryAgain
    /// Keeps the file under another name, and begins a new one.
    case goOnWithout
}

/// The reason why the encryption of the stored data was not switched on or off; nothing has changed.
public enum StoreProtectionFailure: Error, Hashable, Sendable {
    case key(StoreKeyProblem)
    case store(StoreError)
}

/// The encryption of the stored data on this computer, and the question about a file that cannot be opened.
///
/// The store reports to it, and waits for the decision; the program's window shows it.
@MainActor
public final class StoreProtection {
    public enum State: Hashable, Sendable {
        /// The file has not been opened yet.
        case unknown
        case off, on
        /// The file is being encrypted or decrypted.
        case changing(isOn: Bool, percent: Int)
    }

    /// A function that encrypts or decrypts the stored data, and calls `progressed(percent:)` meanwhile.
    public typealias Changing =
        @MainActor (_ isOn: Bool) async -> Result<Void, StoreProtectionFailure>

    public private(set) var state = State.unknown
    /// The reason why the file cannot be opened, as long as the store waits for a decision.
    public private(set) var problem: StoreKeyProblem?
    /// The reason why the last change failed.
    public private(set) var failure: StoreProtectionFailure?
    /// The path, as shown to the user, of the file that the user went on without.
    public private(set) var setAside: String?
    private var decide: (@Sendable (StoreKeyDecision) -> Void)?
    private let observers = Observers<Void>()
    public var change: Changing?

    public init() {}

    /// Calls `body` immediately and after each change, for the lifetime of `owner`.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
        body()
    }

    /// Encrypts or decrypts the stored data; a request during a change is ignored.
    public func set(isOn: Bool) async {
        guard let change, state == (isOn ? .off : .on) else { return }
        let before = state
        (state, failure) = (.changing(isOn: isOn, percent: 0), nil)
        observers.notify(())
        switch await change(isOn) {
        case .success: state = isOn ? .on : .off
        case .failure(let failure): (state, self.failure) = (before, failure)
        }
        observers.notify(())
    }

    /// Passes the user's decision on to the store; without a problem, nothing happens.
    public func decide(_ decision: StoreKeyDecision) {
        guard let decide else { return }
        (self.decide, problem) = (nil, nil)
        observers.notify(())
        decide(decision)
    }

    /// Forgets the file that was set aside, which the user knows now.
    public func dismissSetAside() {
        setAside = nil
        observers.notify(())
    }

    // MARK: - Reports of the store

    /// Reports that the file was opened.
    public func opened(isOn: Bool) {
        // The end of a change is reported by the change itself.
        if case .changing = state { return }
        guard state != (isOn ? .on : .off) else { return }
        state = isOn ? .on : .off
        observers.notify(())
    }

    /// Reports how much of a change is done.
    public func progressed(percent: Int) {
        guard case .changing(let isOn, let before) = state, percent > before else { return }
        state = .changing(isOn: isOn, percent: min(percent, 100))
        observers.notify(())
    }

    /// Asks what to do about a file that cannot be opened; `decide` is called once, with the answer.
    public func ask(
        _ problem: StoreKeyProblem, decide: @escaping @Sendable (StoreKeyDecision) -> Void
    ) {
        (self.problem, self.decide) = (problem, decide)
        observers.notify(())
    }

    /// Reports the path of the file that the user went on without.
    public func wentOn(without path: String) {
        setAside = path
        observers.notify(())
    }
}
