// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import XCTest

/// Tests of the whole program from outside, with real input, and output through accessibility, sound and links.
///
/// Each test is a scenario of `Tests/Driver/scenarios.py`, which describes it.
final class ProgramTests: XCTestCase {
    func testNamesAndRoles() throws { try run("names_and_roles") }
    func testClickNumber() throws { try run("click_number") }
    func testTypeNumber() throws { try run("type_number") }
    func testAutoRepeat() throws { try run("auto_repeat") }
    func testKeyboardOnly() throws { try run("keyboard_only") }
    func testSpokenCalls() throws { try run("spoken_calls") }
    func testSpokenMessages() throws { try run("spoken_messages") }
    func testRealTimeText() throws { try run("real_time_text") }
    func testSpokenLock() throws { try run("spoken_lock") }
    func testSpokenEmergency() throws { try run("spoken_emergency") }
    func testSpokenFiles() throws { try run("spoken_files") }
    func testSpokenRoom() throws { try run("spoken_room") }
    func testSpokenSecondCall() throws { try run("spoken_second_call") }
    func testSpokenForms() throws { try run("spoken_forms") }
    func testKeyboardReachesAll() throws { try run("keyboard_reaches_all") }
    func testAccessibleActions() throws { try run("accessible_actions") }
    func testLongPress() throws { try run("long_press") }
    func testPaste() throws { try run("paste") }
    func testActionsOnTheBus() throws { try run("actions_on_the_bus") }
    func testSingleInstance() throws { try run("single_instance") }
    func testAccountHasTwoNames() throws { try run("account_has_two_names") }
    func testSeveralAccounts() throws { try run("several_accounts") }
    func testNewcomerWithInvitation() throws { try run("newcomer_with_invitation") }
    func testRepliesAndReactions() throws { try run("replies_and_reactions") }
    func testEmergencyNumbers() throws { try run("emergency_numbers") }
    func testLinkNeverDials() throws { try run("link_never_dials") }
    func testCommandLine() throws { try run("command_line") }
    func testCallByScript() throws { try run("call_by_script") }
    func testAnswerByScript() throws { try run("answer_by_script") }
    func testMobileLine() throws { try run("mobile_line") }
    func testMobileTwoPhones() throws { try run("mobile_two_phones") }
    func testCallCommand() throws { try run("call_command") }
    func testAccountCommand() throws { try run("account_command") }
    func testTelephoneAccountCommand() throws { try run("telephone_account_command") }
    func testAccountsFromAddress() throws { try run("accounts_from_address") }
    func testDial() throws { try run("dial") }
    func testDialWithoutHandler() throws { try run("dial_without_handler") }
    func testPracticeExchange() throws { try run("practice_exchange") }
    func testCallsByName() throws { try run("calls_by_name") }
    func testPeople() throws { try run("people") }
    func testCallSounds() throws { try run("call_sounds") }
    func testCallKeys() throws { try run("call_keys") }
    func testAnsweringMachine() throws { try run("answering_machine") }
    func testAnsweringMachineLocked() throws { try run("answering_machine_locked") }
    func testRecordedPracticeCall() throws { try run("recorded_practice_call") }
    func testAnsweringMachineOverSIP() throws { try run("answering_machine_over_sip") }
    func testBlockedCaller() throws { try run("blocked_caller") }
    func testCallSecond() throws { try run("call_second") }
    func testCallOverSIP() throws { try run("call_over_sip") }
    func testOfficeKey() throws { try run("office_key") }
    func testKeyringReturns() throws { try run("keyring_returns") }
    func testSixCalls() throws { try run("six_calls") }
    func testTextInCall() throws { try run("text_in_call") }
    func testSoundServerRestarts() throws { try run("sound_server_restarts") }
    func testSignalsSignOut() throws { try run("signals_sign_out") }
    func testSecondSignalEnds() throws { try run("second_signal_ends") }
    func testSessionEnds() throws { try run("session_ends") }
    func testFailedStartIsExplained() throws { try run("failed_start_is_explained") }
    func testBusKilledInCall() throws { try run("bus_killed_in_call") }
    func testCallLocked() throws { try run("call_locked") }
    func testCallNotifications() throws { try run("call_notifications") }
    func testLineShown() throws { try run("line_shown") }
    func testDeleteStays() throws { try run("delete_stays") }
    func testLoopGuard() throws { try run("loop_guard") }
    func testSettingsFromOutside() throws { try run("settings_from_outside") }
    func testMessagesEncryptedAtRest() throws { try run("messages_encrypted_at_rest") }
    func testLockSounds() throws { try run("lock_sounds") }
    func testSoundsBySetting() throws { try run("sounds_by_setting") }
    func testDevicesByDescription() throws { try run("devices_by_description") }
    func testPreferences() throws { try run("preferences") }
    func testPasscodeInPreferences() throws { try run("passcode_in_preferences") }
    func testEveryKey() throws { try run("every_key") }
    func testDarkRoom() throws { try run("dark_room") }
    func testOwnTheme() throws { try run("own_theme") }
    func testThemeFollowsDesktop() throws { try run("theme_follows_desktop") }
    func testInstalled() throws { try run("installed") }
    func testLockOpens() throws { try run("lock_opens") }
    func testLockHides() throws { try run("lock_hides") }
    func testLockByKeyAndAction() throws { try run("lock_by_key_and_action") }
    func testLockOut() throws { try run("lock_out") }
    func testLockKill() throws { try run("lock_kill") }
    func testLockRecords() throws { try run("lock_records") }
    func testLockKeyring() throws { try run("lock_keyring") }
    func testLockWithDesktop() throws { try run("lock_with_desktop") }
    func testLockWhenIdle() throws { try run("lock_when_idle") }
    func testOperatorAnswers() throws { try run("operator_answers") }
    func testAccountSignsIn() throws { try run("account_signs_in") }
    func testPictureKept() throws { try run("picture_kept") }
    func testAccountRefused() throws { try run("account_refused") }
    func testAccountWithoutKeyring() throws { try run("account_without_keyring") }
    func testGroupChat() throws { try run("group_chat") }
    func testIrcRoom() throws { try run("irc_room") }
    func testEncryptedMessages() throws { try run("encrypted_messages") }
    func testEncryptedDevices() throws { try run("encrypted_devices") }
    func testEncryptedRoom() throws { try run("encrypted_room") }
    func testEncryptedFiles() throws { try run("encrypted_files") }
    func testEncryptedHealing() throws { try run("encrypted_healing") }
    func testEncryptedWithProfanity() throws { try run("encrypted_with_profanity") }
    func testEncryptedWithDino() throws { try run("encrypted_with_dino") }
    func testEncryptedWithGajim() throws { try run("encrypted_with_gajim") }
    func testEncryptedRoomWithDino() throws { try run("encrypted_room_with_dino") }
    func testEncryptedCode() throws { try run("encrypted_code") }
    func testEncryptedNot() throws { try run("encrypted_not") }
    func testTextNumber() throws { try run("text_number") }
    func testShareFiles() throws { try run("share_files") }
    func testDropFiles() throws { try run("drop_files") }
    func testVoiceMessages() throws { try run("voice_messages") }
    func testOtherClient() throws { try run("other_client") }
    func testMessageNotifications() throws { try run("message_notifications") }
    func testAskedOutOfView() throws { try run("asked_out_of_view") }
    func testMessageSound() throws { try run("message_sound") }
    func testMessagesDamaged() throws { try run("messages_damaged") }
    func testRestsOnline() throws { try run("rests_online") }
    func testLinksToPeople() throws { try run("links_to_people") }
    func testWindowClosed() throws { try run("window_closed") }
    func testStartInBackground() throws { try run("start_in_background") }
    func testStartAtLogin() throws { try run("start_at_login") }
    func testStartInSandbox() throws { try run("start_in_sandbox") }
    func testStatusIcon() throws { try run("status_icon") }
    func testStatusIconLocked() throws { try run("status_icon_locked") }
    func testDesktopDuringCall() throws { try run("desktop_during_call") }
    func testAwakeByPortal() throws { try run("awake_by_portal") }
    func testAwakeByLoginManager() throws { try run("awake_by_login_manager") }
    func testAwakeRefused() throws { try run("awake_refused") }
    func testDoNotDisturb() throws { try run("do_not_disturb") }
    func testQuietTimes() throws { try run("quiet_times") }
    func testCrashLeavesNothing() throws { try run("crash_leaves_nothing") }

    func testEveryScenarioIsATest() throws {
        let names = try Driver.call(["scenarios.py", "--list"]).output.split(separator: "\n").map(String.init)
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        for name in names {
            XCTAssert(source.contains("try run(\"\(name)\")"), "no test runs the scenario \(name)")
        }
    }

    /// Runs the tour of `make tour` with sound, and shows its output if it fails.
    func testTour() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try Driver.check(["tour.py", "--program", Driver.program, "--out", folder.path])
    }

    private func run(_ scenario: String) throws {
        try Driver.check(["scenarios.py", "--program", Driver.program, scenario])
    }
}
