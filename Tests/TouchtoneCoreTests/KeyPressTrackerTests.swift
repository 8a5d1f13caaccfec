// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@Suite struct KeyPressTrackerTests {
    private let five = KeypadKey.tone(.five)
    private let six = KeypadKey.tone(.six)
    private let zero = KeypadKey.tone(.zero)
    private let finger = KeySource.touch(sequence: 7)
    private let board = KeySource.keyboard(code: 14)
    private var keys = KeyPressTracker()

    @Test mutating func digitIsEnteredOnPressAndSoundsUntilRelease() {
        #expect(keys.press(five, by: .pointer, at: .zero) == [.keyDown(five), .sound(.five), .enter(.five)])
        #expect(keys.sounding == .five)
        #expect(keys.release(by: .pointer, at: .seconds(3)) == [.keyUp(five), .silence])
        #expect(keys.sounding == nil)
    }

    @Test mutating func autoRepeatChangesNothing() {
        _ = keys.press(five, by: board, at: .zero)
        #expect(keys.press(five, by: board, at: .milliseconds(30)) == [])
        // Shift went down meanwhile, and the same key now has a different character.
        #expect(keys.press(.tone(.pound), by: board, at: .milliseconds(60)) == [])
        #expect(keys.release(by: board, at: .milliseconds(90)) == [.keyUp(five), .silence])
    }

    @Test mutating func lastOfTwoKeysSoundsAndItsReleaseRestoresOther() {
        _ = keys.press(five, by: .pointer, at: .zero)
        #expect(keys.press(six, by: board, at: .zero) == [.keyDown(six), .sound(.six), .enter(.six)])
        #expect(keys.release(by: board, at: .zero) == [.keyUp(six), .sound(.five)])
        #expect(keys.release(by: .pointer, at: .zero) == [.keyUp(five), .silence])
    }

    @Test mutating func releasingEarlierKeyKeepsLaterOneSounding() {
        _ = keys.press(five, by: .pointer, at: .zero)
        _ = keys.press(six, by: board, at: .zero)
        _ = keys.press(.tone(.one), by: finger, at: .zero)
        #expect(keys.release(by: .pointer, at: .zero) == [.keyUp(five)])
        #expect(keys.release(by: finger, at: .zero) == [.keyUp(.tone(.one)), .sound(.six)])
    }

    @Test mutating func secondSourceOnSameKeyEntersAgainAndHoldsIt() {
        _ = keys.press(five, by: .pointer, at: .zero)
        #expect(keys.press(five, by: board, at: .zero) == [.enter(.five)])
        #expect(keys.release(by: .pointer, at: .zero) == [])
        #expect(keys.release(by: board, at: .zero) == [.keyUp(five), .silence])
    }

    @Test mutating func pointerReleasesFirstKeyAfterLostRelease() {
        _ = keys.press(five, by: .pointer, at: .zero)
        #expect(
            keys.press(six, by: .pointer, at: .zero)
                == [.keyUp(five), .silence, .keyDown(six), .sound(.six), .enter(.six)])
        #expect(keys.keysDown == [six])
    }

    @Test mutating func strayReleaseChangesNothing() {
        #expect(keys.release(by: .pointer, at: .zero) == [])
        #expect(keys.releaseAll(at: .zero) == [])
        #expect(keys.keyGone(five) == [])
    }

    @Test mutating func focusLossReleasesAllKeys() {
        _ = keys.press(five, by: .pointer, at: .zero)
        _ = keys.press(zero, by: board, at: .zero)
        #expect(keys.releaseAll(at: .zero) == [.keyUp(five), .keyUp(zero), .silence])
        #expect(keys.nextDeadline == nil)
    }

    @Test mutating func removedKeyEndsItsPresses() {
        _ = keys.press(five, by: .pointer, at: .zero)
        _ = keys.press(.plus, by: board, at: .zero)
        #expect(keys.keyGone(zero) == [.keyUp(zero), .sound(.five)])
        #expect(keys.keyGone(five) == [.keyUp(five), .silence])
    }

    @Test mutating func assistiveClickIsPressAndRelease() {
        #expect(
            keys.press(five, by: .accessibility, at: .zero)
                == [.keyDown(five), .sound(.five), .enter(.five), .keyUp(five), .silence])
        _ = keys.press(zero, by: .accessibility, at: .zero)
        #expect(keys.nextDeadline == nil)
    }

    @Test mutating func plusIsOnZeroKey() {
        #expect(keys.press(.plus, by: board, at: .zero) == [.keyDown(zero), .sound(.zero), .enterPlus])
        #expect(keys.nextDeadline == nil)
    }

    @Test mutating func dialActsOnPressWithoutSound() {
        #expect(keys.press(.dial, by: .pointer, at: .zero) == [.keyDown(.dial), .dial])
        #expect(keys.release(by: .pointer, at: .zero) == [.keyUp(.dial)])
    }

    @Test mutating func deleteKeepsToneSounding() {
        _ = keys.press(five, by: .pointer, at: .zero)
        #expect(keys.press(.delete, by: board, at: .zero) == [.keyDown(.delete), .deleteLast])
        #expect(keys.sounding == .five)
    }

    @Test(arguments: [
        (KeypadKey.tone(.zero), KeyPressTracker.Effect.zeroBecomesPlus), (.tone(.one), .oneHeld),
        (.delete, .clear),
    ])
    func longPressFiresOnceAfterHalfSecond(key: KeypadKey, effect: KeyPressTracker.Effect) {
        var keys = KeyPressTracker()
        _ = keys.press(key, by: .pointer, at: .seconds(10))
        #expect(keys.nextDeadline == .milliseconds(10_500))
        #expect(keys.advance(to: .milliseconds(10_499)) == [])
        #expect(keys.advance(to: .milliseconds(10_500)) == [effect])
        #expect(keys.nextDeadline == nil)
        #expect(keys.advance(to: .seconds(20)) == [])
    }

    @Test mutating func lateTimerChangesNothing() {
        _ = keys.press(zero, by: .pointer, at: .zero)
        #expect(
            keys.release(by: .pointer, at: .milliseconds(600)) == [.zeroBecomesPlus, .keyUp(zero), .silence])
        _ = keys.press(.delete, by: .pointer, at: .seconds(1))
        #expect(keys.press(five, by: board, at: .seconds(2)).first == .clear)
    }

    @Test mutating func shortPressIsNotLongPress() {
        _ = keys.press(zero, by: .pointer, at: .zero)
        _ = keys.release(by: .pointer, at: .milliseconds(499))
        #expect(keys.nextDeadline == nil)
        #expect(keys.advance(to: .seconds(1)) == [])
    }

    @Test(arguments: [KeypadKey.tone(.five), .tone(.zero), .plus, .delete, .dial])
    func otherPressEndsLongPress(other: KeypadKey) {
        for key in [KeypadKey.tone(.zero), .delete] {
            var keys = KeyPressTracker()
            _ = keys.press(key, by: .pointer, at: .zero)
            _ = keys.press(other, by: .accessibility, at: .milliseconds(100))
            #expect(keys.nextDeadline == nil)
        }
    }

    @Test(arguments: Seeds.all)
    func anySequenceEndsInSilence(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            var walk = Walk(random: &random)
            walk.run()
        }
    }
}

/// A random sequence of events with its invariants.
private struct Walk {
    var keys = KeyPressTracker()
    var held: [KeySource: KeypadKey] = [:]
    var sounding: DTMFKey?
    var down: Set<KeypadKey> = []
    var time = Duration.zero
    var events: [Int]
    var choices: [Int]

    init(random: inout SplitMix64) {
        events = (0..<60).map { _ in Int.random(in: 0..<10, using: &random) }
        choices = (0..<60).map { _ in Int.random(in: 0..<1000, using: &random) }
    }

    static let all = KeypadKey.rows.flatMap { $0 } + [.plus]
    static let sources: [KeySource] = [
        .pointer, .touch(sequence: 1), .touch(sequence: 2), .keyboard(code: 1), .keyboard(code: 2),
        .accessibility,
    ]

    mutating func run() {
        for (event, choice) in zip(events, choices) {
            time += .milliseconds(choice % 300)
            let source = Self.sources[choice % Self.sources.count]
            switch event {
            case 0...5: press(Self.all[choice % Self.all.count], by: source)
            case 6, 7:
                take(keys.release(by: source, at: time), entering: 0)
                held[source] = nil
            case 8: take(keys.advance(to: time), entering: 0)
            default: choice < 900 ? lose(Self.all[choice % Self.all.count]) : loseAll()
            }
            if let deadline = keys.nextDeadline { #expect(deadline <= time + KeyPressTracker.longPress) }
        }
        loseAll()
        #expect(sounding == nil)
        #expect(down.isEmpty)
        #expect(keys.nextDeadline == nil)
        #expect(keys.advance(to: time + .seconds(9)) == [])
    }

    mutating func press(_ key: KeypadKey, by source: KeySource) {
        var isRepeat = held[source] == key
        if case .keyboard = source, held[source] != nil { isRepeat = true }
        take(keys.press(key, by: source, at: time), entering: isRepeat ? 0 : 1)
        if !isRepeat, source != .accessibility { held[source] = key }
    }

    mutating func lose(_ key: KeypadKey) {
        take(keys.keyGone(key), entering: 0)
        held = held.filter { $0.value.onScreen != key.onScreen }
    }

    mutating func loseAll() {
        take(keys.releaseAll(at: time), entering: 0)
        held = [:]
    }

    /// Applies the effects as the phone would.
    mutating func take(_ effects: [KeyPressTracker.Effect], entering expected: Int) {
        var entered = 0
        for effect in effects {
            switch effect {
            case .enter, .enterPlus, .deleteLast, .dial: entered += 1
            case .sound(let key):
                #expect(sounding != key, "a tone is started once")
                sounding = key
            case .silence:
                #expect(sounding != nil, "silence ends a tone")
                sounding = nil
            case .keyDown(let key): #expect(down.insert(key).inserted)
            case .keyUp(let key): #expect(down.remove(key) != nil)
            case .zeroBecomesPlus, .oneHeld, .clear: break
            }
        }
        #expect(entered == expected)
        #expect(sounding == keys.sounding)
        #expect(down == keys.keysDown)
    }
}
