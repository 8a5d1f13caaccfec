// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@MainActor @Suite struct ChatAccountTests {
    private let memory = FakeAccountStore()
    private let passwords = FakePasswordStore()
    private let connection = FakeAccountConnection()

    private func account(_ address: String = "") -> ChatAccount {
        memory.details.address = address
        return ChatAccount(memory: memory, passwords: passwords, connection: connection)
    }

    private func typed(_ address: String) -> AccountDetails { AccountDetails(address: address) }

    @Test func keyringIsNotReadBeforeStart() async {
        passwords.stored = ["a@example.org": "secret"]
        let account = account("a@example.org")
        #expect(account.state == .signedOut)
        await settle()
        #expect(passwords.requests.isEmpty && connection.log.isEmpty)
        account.start()
        #expect(account.state == .asking)
        await settle()
        #expect(passwords.requests == ["a@example.org"])
        #expect(connection.log == ["connect a@example.org secret"])
        #expect(account.state == .connecting)
        account.start()
        await settle()
        #expect(connection.log.count == 1, "a second start begins anew")
    }

    @Test func accountThatIsNotUsedIsNotSignedIn() async throws {
        passwords.stored = ["a@example.org": "secret"]
        memory.isEnabled = false
        let account = account("a@example.org")
        #expect(account.state == .disabled && !account.isEnabled)
        account.start()
        await settle()
        #expect(account.state == .disabled && passwords.requests.isEmpty && connection.log.isEmpty)
        account.isEnabled = true
        await settle()
        #expect(connection.signIns == ["connect a@example.org secret"])
        connection.become(.online)
        memory.isEnabled = false
        #expect(account.state == .disabled && !connection.isConnected)
        account.signOut()
        #expect(account.state == .disabled)
        // Who signs in wants to use it.
        try account.signIn(account.details)
        #expect(memory.isEnabled && account.state == .connecting)
    }

    @Test func accountIsSwitchedOffWhileKeyringIsAsked() async {
        passwords.stored = ["a@example.org": "secret"]
        let account = account("a@example.org")
        account.start()
        account.isEnabled = false
        await settle()
        #expect(account.state == .disabled && !connection.isConnected)
    }

    @Test func labelNamesAccountAndLeavesWithIt() async {
        passwords.stored = ["a@example.org": "secret"]
        let account = account("a@example.org")
        account.start()
        await settle()
        var changes = 0
        account.observe(by: connection) { changes += 1 }
        #expect(account.name == "a@example.org")
        account.label = "Work"
        #expect(account.name == "Work" && changes == 2)
        #expect(connection.signIns.count == 1, "it stays signed in")
        account.isEnabled = false
        account.remove()
        #expect(account.label.isEmpty && account.isEnabled && account.name.isEmpty)
    }

    @Test func nothingHappensWithoutAccount() async {
        let account = account()
        account.start()
        await settle()
        #expect(account.state == .none && passwords.requests.isEmpty && !connection.isConnected)
    }

    @Test func passwordIsSavedAfterServerAcceptsIt() async throws {
        let account = account()
        account.start()
        try account.signIn(typed("A@Example.org"), password: "secret")
        #expect(memory.details.address == "a@example.org", "it is kept in its comparable form")
        #expect(connection.log == ["use a@example.org", "connect a@example.org secret"])
        await settle()
        #expect(passwords.stored.isEmpty)
        connection.become(.online)
        #expect(account.state == .online)
        await settle()
        #expect(passwords.stored == ["a@example.org": "secret"])
        #expect(account.notKept == nil)
        connection.become(.waiting("The cable is out."))
        connection.become(.connecting)
        connection.become(.online)
        await settle()
        #expect(passwords.storeCount == 1, "it is kept again at each connection")
    }

    @Test func passwordFromElsewhereIsSavedBeforeServerIsReached() async throws {
        let account = account()
        account.start()
        try account.signIn(typed("a@example.org"), password: "secret", keepsAtOnce: true)
        let report = CertificateReport(
            reason: "It is not trusted.", fingerprint: "ab12", subject: "", issuer: "", expiry: "")
        connection.become(.failed(.certificate(report)))
        #expect(!account.isSettled, "the program could end before the keyring has it")
        await settle()
        #expect(passwords.stored == ["a@example.org": "secret"] && account.isSettled)
        // This stands for a restart of the program, after which the user trusts the certificate.
        let again = self.account("a@example.org")
        again.start()
        await settle()
        connection.become(.failed(.certificate(report)))
        again.trustCertificate()
        #expect(connection.log.last == "connect a@example.org secret ab12")
        connection.become(.online)
        await settle()
        #expect(passwords.storeCount == 1 && again.notKept == nil)
    }

    @Test func keyringThatComesLaterGetsPassword() async throws {
        passwords.failure = .absent
        let account = account()
        try account.signIn(typed("a@example.org"), password: "secret")
        connection.become(.online)
        await settle()
        #expect(account.notKept == .noKeyring)
        passwords.failure = nil
        connection.become(.waiting("The cable is out."))
        connection.become(.online)
        await settle()
        #expect(passwords.stored == ["a@example.org": "secret"] && account.notKept == nil)
    }

    @Test func keyringThatUserLeftLockedIsAskedOnceMoreWhenPasswordIsProven() async throws {
        passwords.failure = .refused("it is locked")
        let account = account()
        try account.signIn(typed("a@example.org"), password: "secret", keepsAtOnce: true)
        await settle()
        #expect(account.notKept == .keyringRefused("it is locked") && passwords.storeCount == 1)
        for _ in 1...3 {
            connection.become(.waiting("The cable is out."))
            connection.become(.online)
            await settle()
        }
        #expect(passwords.storeCount == 2, "the user is asked to unlock it at each sign-in")
        #expect(account.notKept == .keyringRefused("it is locked"))
    }

    @Test func changedPasswordIsKeptForAddressInAnotherForm() async throws {
        passwords.stored = ["a@example.org": "old"]
        // As a script has written it.
        let account = account("A@Example.org")
        account.start()
        await settle()
        connection.become(.online)
        try await account.changePassword(to: "new")
        await settle()
        #expect(passwords.stored == ["a@example.org": "new"])
    }

    @Test func wrongPasswordIsNeitherRetriedNorSaved() async throws {
        let account = account()
        try account.signIn(typed("a@example.org"), password: "wrong")
        connection.become(.failed(.password("The password is wrong.")))
        #expect(account.state == .failed(.password("The password is wrong.")))
        await settle()
        #expect(passwords.stored.isEmpty)
        #expect(throws: ChatAccount.ValidationError.password) { try account.signIn(account.details) }
        #expect(throws: ChatAccount.ValidationError.password) {
            try account.signIn(account.details, password: "")
        }
        #expect(connection.log == ["use a@example.org", "connect a@example.org wrong"])
        try account.signIn(account.details, password: "right")
        connection.become(.online)
        await settle()
        #expect(passwords.stored == ["a@example.org": "right"])
    }

    @Test func refusedPasswordIsNotReadFromKeyringAgain() async throws {
        passwords.stored = ["a@example.org": "old"]
        let account = account("a@example.org")
        account.start()
        await settle()
        let wrong = AccountProblem.password("The password is wrong.")
        connection.become(.failed(wrong))
        account.signOut()
        try account.signIn(account.details)
        await settle()
        #expect(connection.log == ["connect a@example.org old"])
        #expect(account.state == .failed(wrong))
        // Another server may accept it.
        memory.details.host = "other.example.org"
        await settle()
        #expect(connection.log.count == 2)
        connection.become(.failed(wrong))
        // A user who types the same password again means it.
        try account.signIn(account.details, password: "old")
        #expect(connection.log.count == 3)
    }

    @Test func wrongPasswordStaysInKeyringUntilAnotherIsAccepted() async throws {
        passwords.stored = ["a@example.org": "old"]
        let account = account("a@example.org")
        account.start()
        await settle()
        connection.become(.failed(.password("The password is wrong.")))
        await settle()
        #expect(passwords.stored == ["a@example.org": "old"])
        try account.signIn(account.details, password: "new")
        connection.become(.online)
        await settle()
        #expect(passwords.stored == ["a@example.org": "new"])
    }

    @Test(arguments: [PasswordStoreError.absent, .refused("it is locked")])
    func passwordIsRequestedWithoutKeyring(_ error: PasswordStoreError) async throws {
        passwords.failure = error
        let account = account("a@example.org")
        account.start()
        await settle()
        let reason: ChatAccount.PasswordReason =
            error == .absent ? .noKeyring : .keyringRefused("it is locked")
        #expect(account.state == .passwordWanted(reason))
        #expect(!connection.isConnected)
        try account.signIn(account.details, password: "secret")
        connection.become(.online)
        await settle()
        #expect(account.state == .online)
        #expect(account.notKept == reason)
        // The password is known in this run.
        account.signOut()
        #expect(account.state == .signedOut && !connection.isConnected)
        try account.signIn(account.details)
        #expect(connection.log.last == "connect a@example.org secret")
    }

    @Test func keyringWithoutPasswordIsReported() async {
        let account = account("a@example.org")
        account.start()
        await settle()
        #expect(account.state == .passwordWanted(.noneKept))
        passwords.returns()
        await settle()
        #expect(passwords.requests.count == 1, "the user has to type what no keyring has")
    }

    @Test(arguments: [PasswordStoreError.absent, .refused("it is locked")])
    func keyringThatReturnsIsAskedAgain(_ error: PasswordStoreError) async {
        passwords.stored = ["a@example.org": "secret"]
        passwords.failure = error
        let account = account("a@example.org")
        passwords.returns()
        await settle()
        #expect(passwords.requests == [])
        account.start()
        await settle()
        passwords.returns()
        await settle()
        #expect(account.wantsPassword && passwords.requests.count == 2)
        passwords.failure = nil
        passwords.returns()
        passwords.returns()
        await settle()
        #expect(connection.log.last == "connect a@example.org secret" && passwords.requests.count == 3)
        passwords.returns()
        await settle()
        #expect(passwords.requests.count == 3)
    }

    @Test func typedPasswordOvertakesSlowKeyring() async throws {
        passwords.stored = ["a@example.org": "old"]
        passwords.isHeld = true
        let account = account("a@example.org")
        account.start()
        await settle()
        #expect(account.state == .asking)
        try account.signIn(account.details, password: "typed")
        #expect(connection.log == ["connect a@example.org typed"])
        passwords.release()
        await settle()
        #expect(connection.log == ["connect a@example.org typed"], "the late answer begins anew")
    }

    @Test func keyringAnswerAfterSignOutIsIgnored() async {
        passwords.stored = ["a@example.org": "secret"]
        passwords.isHeld = true
        let account = account("a@example.org")
        account.start()
        await settle()
        account.signOut()
        passwords.release()
        await settle()
        #expect(account.state == .signedOut && !connection.isConnected)
    }

    @Test func onlyUserTrustsCertificateForOneServer() async throws {
        let report = CertificateReport(
            reason: "It is not trusted.", fingerprint: "ab12", subject: "CN=x", issuer: "CN=x",
            expiry: "2030-01-01")
        let account = account()
        account.trustCertificate()
        try account.signIn(typed("a@example.org"), password: "secret")
        account.trustCertificate()
        #expect(memory.trustedCertificate.isEmpty, "there was nothing to trust")
        connection.become(.failed(.certificate(report)))
        #expect(memory.trustedCertificate.isEmpty && account.state == .failed(.certificate(report)))
        account.trustCertificate()
        #expect(memory.trustedCertificate == "ab12")
        #expect(connection.log.last == "connect a@example.org secret ab12")
        connection.become(.online)
        account.distrustCertificate()
        #expect(memory.trustedCertificate.isEmpty)
        #expect(
            connection.log.last == "connect a@example.org secret", "the connection that was trusted stays")
        for change: (inout AccountDetails) -> Void in [
            { $0.host = "other.example.org" }, { $0.address = "a@example.com" },
        ] {
            connection.become(.failed(.certificate(report)))
            account.trustCertificate()
            #expect(memory.trustedCertificate == "ab12")
            var details = account.details
            change(&details)
            try account.signIn(details, password: "secret")
            #expect(memory.trustedCertificate.isEmpty)
        }
    }

    private let weaker = AccountProblem.weakerSignIn(
        WeakerSignIn(reason: "It is weaker.", method: "PLAIN", tellsPassword: true))

    @Test func weakerSignInNeedsPermissionOfUser() async throws {
        var account = account()
        try account.signIn(typed("a@example.org"), password: "secret")
        connection.signInMethod = "SCRAM-SHA-256"
        connection.become(.online)
        await settle()
        account.allowWeakerSignIn()
        #expect(
            connection.log == ["use a@example.org", "connect a@example.org secret"],
            "there was nothing to allow")
        // This stands for a restart of the program.
        account = self.account("a@example.org")
        account.start()
        await settle()
        #expect(connection.log.last == "connect a@example.org secret ≥ SCRAM-SHA-256")
        connection.become(.failed(weaker))
        #expect(account.state == .failed(weaker) && account.isWantedOnline == false)
        try account.signIn(account.details)
        #expect(connection.log.last == "connect a@example.org secret ≥ SCRAM-SHA-256", "nobody allowed it")
        connection.become(.failed(weaker))
        account.allowWeakerSignIn()
        #expect(connection.log.last == "connect a@example.org secret ≥ PLAIN")
        connection.signInMethod = "PLAIN"
        connection.become(.online)
        #expect(memory.methods == ["a@example.org": "PLAIN"])
        connection.signInMethod = "SCRAM-SHA-512"
        connection.become(.online)
        #expect(memory.methods == ["a@example.org": "SCRAM-SHA-512"], "from then on it is this")
    }

    @Test func signInMethodBelongsToItsAccount() async throws {
        let account = account()
        try account.signIn(typed("a@example.org"), password: "secret")
        connection.signInMethod = "SCRAM-SHA-256"
        connection.become(.online)
        try account.signIn(account.details, password: "new")
        #expect(connection.log.last == "connect a@example.org new ≥ SCRAM-SHA-256", "also a new password")
        try account.signIn(typed("b@example.org"), password: "other")
        #expect(connection.log.last == "connect b@example.org other")
        connection.become(.online)
        account.remove()
        #expect(memory.methods.isEmpty)
    }

    @Test func removingAccountLeavesOnlyMessages() async throws {
        let account = account()
        try account.signIn(typed("a@example.org"), password: "secret")
        connection.become(.online)
        await settle()
        memory.trustedCertificate = "ab12"
        account.remove()
        #expect(account.state == .none)
        #expect(memory.details == AccountDetails() && memory.trustedCertificate.isEmpty)
        #expect(!connection.isConnected)
        #expect(
            connection.log.suffix(2) == ["forget the keys of a@example.org", "use "],
            "its keys stay, or its conversations stay in sight")
        await settle()
        #expect(passwords.stored.isEmpty)
    }

    @Test func tokenLeavesWithSignOutOfUser() async throws {
        let account = account()
        try account.signIn(typed("A@example.org"), password: "secret")
        connection.become(.online)
        account.signOut()
        #expect(connection.forgotten.isEmpty, "the program ends")
        account.signOut(isByUser: true)
        #expect(connection.forgotten == ["a@example.org"])
        try account.signIn(account.details)
        account.isEnabled = false
        account.isEnabled = true
        #expect(connection.forgotten.count == 2)
        try account.signIn(typed("b@example.org"), password: "secret")
        #expect(connection.forgotten.dropFirst(2) == ["a@example.org"])
        account.remove()
        #expect(connection.forgotten.last == "b@example.org")
    }

    @Test func passwordBeingSavedIsDeletedWithItsAccount() async throws {
        let account = account()
        try account.signIn(typed("a@example.org"), password: "secret")
        passwords.isHeld = true
        connection.become(.online)
        await settle()
        account.remove()
        passwords.release()
        await settle()
        #expect(passwords.stored.isEmpty)
    }

    @Test func newAccountDeletesPasswordOfPreviousOne() async throws {
        passwords.stored = ["a@example.org": "secret"]
        let account = account("a@example.org")
        account.start()
        await settle()
        connection.become(.online)
        #expect(!connection.log.contains { $0.hasPrefix("use") }, "the chat has begun with it")
        try account.signIn(typed("b@example.org"), password: "other")
        #expect(connection.log.suffix(2) == ["use b@example.org", "connect b@example.org other"])
        connection.become(.online)
        await settle()
        #expect(passwords.stored == ["b@example.org": "other"])
    }

    @Test func externalSettingsChangesApply() async {
        passwords.stored = ["a@example.org": "secret"]
        let account = account()
        memory.details.address = "a@example.org"
        #expect(account.state == .signedOut, "it is not started")
        memory.details.address = ""
        account.start()
        memory.details.address = "a@example.org"
        await settle()
        #expect(connection.log.last == "connect a@example.org secret")
        memory.details.host = "server.example.org"
        await settle()
        #expect(connection.details?.host == "server.example.org")
        let count = connection.log.count
        memory.details.host = "server.example.org"
        await settle()
        #expect(connection.log.count == count, "the same again is no change")
        memory.trustedCertificate = "cd34"
        await settle()
        #expect(connection.log.last == "connect a@example.org secret cd34")
        memory.details.address = "not an address"
        #expect(account.state == .failed(.other("“not an address” is not a Jabber address.")))
        #expect(!connection.isConnected)
        memory.details.address = ""
        #expect(account.state == .none)
    }

    @Test func invalidInputChangesNothing() {
        let account = account("a@example.org")
        #expect(throws: ChatAccount.ValidationError.address) {
            try account.signIn(typed("nobody at all"), password: "x")
        }
        #expect(throws: ChatAccount.ValidationError.address) { try account.signIn(typed(""), password: "x") }
        #expect(throws: ChatAccount.ValidationError.port) {
            try account.signIn(AccountDetails(address: "b@example.org", port: 5222), password: "x")
        }
        #expect(memory.details.address == "a@example.org" && connection.log.isEmpty)
    }

    @Test func presenceSignsOutAndIn() async {
        passwords.stored = ["a@example.org": "secret"]
        let account = account("a@example.org")
        account.start()
        await settle()
        connection.become(.online)
        connection.become(.signedOut)
        #expect(account.state == .signedOut)
        connection.become(.connecting)
        #expect(account.state == .connecting)
    }

    @Test func observersAreNotifiedWhileTheyExist() {
        let account = account("a@example.org")
        var owner: Owner? = Owner()
        var count = 0
        if let owner { account.observe(by: owner) { count += 1 } }
        #expect(count == 1)
        connection.become(.connecting)
        #expect(count == 2)
        owner = nil
        connection.become(.online)
        #expect(count == 2)
    }

    private final class Owner {}

    /// Lets all pending tasks run.
    private func settle() async { for _ in 0..<20 { await Task.yield() } }
}
