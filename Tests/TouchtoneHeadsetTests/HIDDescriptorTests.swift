// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TouchtoneHeadset

/// Tests of report descriptors: of headsets, and of devices that break the rules.
@Suite struct HIDDescriptorTests {
    @Test func headsetHasKeysAndLamps() throws {
        let headset = try #require(HIDDescriptor(Descriptors.headset))
        #expect(headset.hasNumbers)
        #expect(headset.keys.map(\.usage) == [.hookSwitch, .phoneMute, .drop])
        #expect(headset.keys.map(\.isRelative) == [false, true, false])
        #expect(headset.keys.map(\.isSwitch) == [true, false, false])
        #expect(headset.keys.map(\.bit) == [0, 1, 2])
        #expect(headset.lamps.map(\.usage) == [.offHookLamp, .ringLamp, .muteLamp])
        #expect(headset.reports(lighting: []) == [[3, 0]])
        #expect(headset.reports(lighting: [.offHookLamp, .muteLamp]) == [[3, 0b101]])
    }

    @Test func keysAreFoundInReports() throws {
        let headset = try #require(HIDDescriptor(Descriptors.headset))
        let (hook, mute) = (headset.keys[0], headset.keys[1])
        #expect(headset.isPressed(hook, in: [2, 1]) == true)
        #expect(headset.isPressed(mute, in: [2, 1]) == false)
        #expect(headset.isPressed(mute, in: [2, 2]) == true)
        #expect(headset.isPressed(hook, in: [1, 1]) == nil, "another report")
        for short in [[], [2]] as [[UInt8]] { #expect(headset.isPressed(hook, in: short) == nil) }
    }

    @Test func reportsWithoutNumbersBeginWithTheirBits() throws {
        let headset = try #require(HIDDescriptor(Descriptors.simple))
        #expect(!headset.hasNumbers)
        #expect(headset.isPressed(headset.keys[0], in: [1]) == true)
        #expect(headset.isPressed(headset.keys[0], in: []) == nil)
        #expect(headset.reports(lighting: [.ringLamp]) == [[0, 2]], "the kernel takes number 0 off")
    }

    @Test func keyboardAndMouseHaveNone() {
        // The pages of a keyboard, and one of a mouse.
        #expect(HIDDescriptor([0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7, 0x75, 1, 0x95, 8, 0x81, 2]) == nil)
        #expect(HIDDescriptor([0x05, 0x09, 0x19, 1, 0x29, 3, 0x75, 1, 0x95, 3, 0x81, 2]) == nil)
        #expect(HIDDescriptor([]) == nil)
    }

    /// Each of these would read or write past an end, or take very long, if it were believed.
    @Test(
        arguments: [
            [0x05], [0x26, 0], [0x27, 0, 0, 0], [0xFE], [0xFE, 255, 1],
            // More bits than any report has, in one item and in many.
            [0x05, 0x0B, 0x09, 0x20, 0x76, 0xFF, 0xFF, 0x97, 0xFF, 0xFF, 0xFF, 0x7F, 0x81, 2],
            [0x05, 0x0B, 0x09, 0x20, 0x75, 255, 0x96, 0xFF, 0x7F, 0x81, 2],
            // Two thousand million usages.
            [0x05, 0x0B, 0x1B, 0, 0, 0, 0, 0x2B, 0xFF, 0xFF, 0xFF, 0x7F, 0x75, 1, 0x95, 1, 0x81, 2],
            [0x05, 0x0B, 0x29, 5], [0x05, 0x0B, 0x19, 9, 0x29, 5],
            // A report without number, and more than a stack holds, or has.
            [0x85, 0], [0xB4], [UInt8](repeating: 0xA4, count: 9),
            [UInt8](repeating: 0xC0, count: 4097),
        ] as [[UInt8]])
    func brokenDescriptorDescribesNothing(_ bytes: [UInt8]) {
        #expect(HIDDescriptor(bytes) == nil)
        #expect(HIDDescriptor(Descriptors.headset + bytes) == nil)
    }

    @Test(arguments: Seeds.all) func spoiltDescriptorsAreBounded(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var accepted = 0
        for round in 0..<4_000 {
            var bytes = round.isMultiple(of: 2) ? Descriptors.headset : Descriptors.simple
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            guard let headset = HIDDescriptor(bytes) else { continue }
            accepted += 1
            #expect(headset.keys.count + headset.lamps.count <= HIDDescriptor.maximumFields)
            let report = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for key in headset.keys { _ = headset.isPressed(key, in: report) }
            let all = headset.reports(lighting: Set(headset.lamps.map(\.usage)))
            #expect(all.allSatisfy { $0.count <= 1 + HIDDescriptor.maximumReport / 8 })
        }
        #expect(accepted > 100, "most bits of a descriptor may have any value")
    }

    @Test func descriptorsOfStrangersDoNoHarm() throws {
        let fault = try Fuzzer.run("headsets", corpus: "headsets", seconds: 5, options: ["-max_len=4200"])
        #expect(fault == nil)
    }

    @Test func inputDevicesAreKnownByTheirKeys() {
        // Bit 169 and bit 248 of words with 64 bits, the highest first, as sysfs writes them.
        #expect(InputEvents.isHeadset("20000000000 0 0\n"))
        #expect(InputEvents.isHeadset("100000000000000 0 0 0\n"))
        #expect(!InputEvents.isHeadset("20000000000 0 40000000\n"), "it has letters")
        for text in ["", "0", "x y z", "zz 0 0", String(repeating: "f ", count: 3000)] {
            #expect(!InputEvents.isHeadset(text))
        }
    }

    @Test func eventsAreReadOneByOne() {
        let bytes =
            Descriptors.event(169, 1) + Descriptors.event(169, 2) + Descriptors.event(169, 0)
            + Descriptors.event(248, 1) + Descriptors.event(30, 1) + Descriptors.event(169, 1, type: 4)
        #expect(InputEvents.keys(in: bytes) == [.hook, .mute])
        for length in 0..<InputEvents.length {
            #expect(InputEvents.keys(in: Array(bytes.prefix(length))) == [])
        }
    }
}

/// Report descriptors of headsets, and events of input devices.
enum Descriptors {
    /// Telephony keys in report 2, and lamps in report 3.
    static let headset: [UInt8] = [
        0x05, 0x0B, 0x09, 0x05, 0xA1, 0x01,  // the telephony page, a headset, its collection
        0x85, 0x02, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01,  // report 2, values 0 and 1, of one bit
        0x95, 0x01, 0x09, 0x20, 0x81, 0x22,  // the hook switch, which has a state
        0x09, 0x2F, 0x81, 0x06,  // mute, which has none
        0x09, 0x26, 0x81, 0x02, 0x95, 0x05, 0x81, 0x01,  // drop, and padding
        0x85, 0x03, 0x05, 0x08, 0x09, 0x17, 0x09, 0x18, 0x09, 0x09, 0x95, 0x03, 0x91, 0x22,  // three lamps
        0x95, 0x05, 0x91, 0x01, 0xC0,
    ]

    /// A hook switch and a switch of the microphone, and no lamps.
    static let arm: [UInt8] = [
        0x05, 0x0B, 0x09, 0x05, 0xA1, 0x01, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x02, 0x09, 0x20, 0x09,
        0x2F, 0x81, 0x22, 0x95, 0x06, 0x81, 0x01, 0xC0,
    ]

    /// A hook switch and two lamps in reports without numbers.
    static let simple: [UInt8] = [
        0x05, 0x0B, 0x09, 0x05, 0xA1, 0x01, 0x75, 0x01, 0x95, 0x01, 0x09, 0x20, 0x81, 0x02, 0x95, 0x07, 0x81,
        0x01,
        0x05, 0x08, 0x19, 0x17, 0x29, 0x18, 0x95, 0x02, 0x91, 0x02, 0x95, 0x06, 0x91, 0x01, 0xC0,
    ]

    static func event(_ code: UInt16, _ value: Int32, type: UInt16 = 1) -> [UInt8] {
        [UInt8](repeating: 7, count: InputEvents.length - 8)
            + [UInt8(type & 0xFF), UInt8(type >> 8), UInt8(code & 0xFF), UInt8(code >> 8)]
            + (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
