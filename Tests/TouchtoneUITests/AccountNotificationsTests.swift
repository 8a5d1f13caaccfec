// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the notification of an account that needs the user.
final class AccountNotificationsTests: GtkTestCase {
    func testAccountThatNeedsUserIsToldOutOfView() throws {
        try onMainActor {
            let fixture = try AccountNotificationsFixture()
            fixture.connection.become(.waiting("The server isn’t responding."))
            XCTAssertEqual(fixture.notifier.count, 0, "it comes back by itself")
            fixture.connection.become(.failed(.password("Wrong password.")))
            let note = try XCTUnwrap(fixture.note)
            XCTAssertEqual(note.title, "ada@example.org")
            XCTAssertEqual(note.body, "Wrong password. Change the password to try again.")
            fixture.connection.become(.failed(.password("Wrong password.")))
            XCTAssertEqual(fixture.notifier.count, 1)
            fixture.connection.become(.online)
            XCTAssertNil(fixture.note)
            // The panel says it where the user looks.
            fixture.messenger.isInView = true
            fixture.connection.become(.failed(.password("Wrong password.")))
            fixture.messenger.isInView = false
            fixture.lock.lock()
            XCTAssertNil(fixture.note)
        }
    }

    func testProblemIsToldOnceTheUserMayBeDisturbed() throws {
        try onMainActor {
            let fixture = try AccountNotificationsFixture(passcode: "1234")
            XCTAssert(fixture.lock.isLocked)
            fixture.connection.become(.failed(.password("Wrong password.")))
            XCTAssertEqual(fixture.notifier.count, 0, "the address is nobody else’s business")
            for digit in 1...4 { fixture.lock.press(digit) }
            waitUntil("it is told") { fixture.note != nil }
            fixture.notices.isQuiet = true
            XCTAssertNil(fixture.note)
            fixture.connection.become(.online)
            fixture.connection.become(.failed(.password("Wrong password.")))
            XCTAssertNil(fixture.note)
            fixture.notices.isQuiet = false
            XCTAssertNotNil(fixture.note)
        }
    }
}

/// An account that is signed in, on a server controlled by the test.
@MainActor
private final class AccountNotificationsFixture {
    let notifier = FakeNotifier()
    let lock: Lock
    let messenger: Messenger
    let notices: AccountNotifications
    private let accounts: JabberAccounts
    private let first: FakeAccount
    private let list: AccountListFixture

    init(passcode: String? = nil) throws {
        list = try AccountListFixture()
        list.start()
        list.settings.reset("message-notification")
        first = FakeAccount(list.settings, list: try XCTUnwrap(list.list))
        messenger = Messenger(
            Chat(
                store: MemoryMessageStore(), services: [FakeChatService()], clock: MainLoopScheduler(),
                wall: FixedWallClock(), names: { "" }))
        accounts = try .only(first.model, list.settings, messenger)
        lock = Lock(
            store: FakePasscodeStore(passcode), clock: MainLoopScheduler(), boot: FakeBootClock(),
            sounds: FakeTones())
        notices = AccountNotifications(
            accounts: accounts, messenger: messenger, lock: lock, settings: list.settings, notifier: notifier)
        try first.model.signIn(AccountDetails(address: "ada@example.org"), password: "secret")
    }

    var connection: FakeAccountConnection { first.connection }
    var note: DesktopNotifications.Note? { notifier.shown["account ada@example.org"] }
}
