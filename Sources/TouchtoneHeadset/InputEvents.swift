// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The events of an input device of the kernel (evdev), and the keys that it has.
enum InputEvents {
    /// KEY_PHONE, KEY_MICMUTE and KEY_A of linux/input-event-codes.h.
    static let (phone, microphoneMute, letter) = (169, 248, 30)

    /// The length of an event: its time, type, code and value.
    static let length = MemoryLayout<timeval>.size + 8

    /// Returns what the pressed keys among some events mean; a part of an event at the end counts for nothing.
    static func keys(in bytes: [UInt8]) -> [HeadsetKey] {
        stride(from: 0, through: bytes.count - length, by: length).compactMap { start in
            let event = bytes[(start + length - 8)..<(start + length)].map(UInt32.init)
            let (type, code) = (event[0] | event[1] << 8, event[2] | event[3] << 8)
            let value = event[4] | event[5] << 8 | event[6] << 16 | event[7] << 24
            // EV_KEY, and neither its release nor a repetition.
            guard type == 1, value == 1 else { return nil }
            return code == phone ? .hook : code == microphoneMute ? .mute : nil
        }
    }

    /// Returns whether a device has keys for calls, by the set of its keys as sysfs writes it; a keyboard is none, whose
    /// letters nobody but the desktop is to read.
    static func isHeadset(_ capabilities: String) -> Bool {
        let words = capabilities.split { $0 == " " || $0 == "\n" }.reversed().prefix(64)
            .map { UInt64($0, radix: 16) ?? 0 }
        let width = UInt.bitWidth
        func has(_ key: Int) -> Bool {
            key / width < words.count && words[key / width] >> (key % width) & 1 == 1
        }
        return (has(phone) || has(microphoneMute)) && !has(letter)
    }
}
