// SPDX-License-Identifier: GPL-3.0-or-later

/// The telephony keys and lamps of a device, as its report descriptor describes them (HID 1.11, section 6.2.2).
///
/// The descriptor is a device's own: it is bounded, and one that breaks the rules describes nothing.
struct HIDDescriptor: Hashable, Sendable {
    /// A key or a lamp, and its place in a report.
    struct Field: Hashable, Sendable {
        let usage: Usage
        let report: UInt8
        /// The first bit, behind the number of the report, and the number of bits.
        let bit, size: Int
        /// Whether it reports changes, and not a state.
        let isRelative: Bool
        /// Whether it stays where it is put, as the arm of a microphone does (HID Usage Tables, section 3.4.1.2).
        let isSwitch: Bool
    }

    /// The keys of the telephony page and the lamps of the LED page that this phone knows, with their pages.
    enum Usage: UInt32, Sendable {
        case hookSwitch = 0x0B_0020
        case drop = 0x0B_0026
        case phoneMute = 0x0B_002F
        case muteLamp = 0x08_0009
        case offHookLamp = 0x08_0017
        case ringLamp = 0x08_0018

        var isKey: Bool { rawValue >> 16 == 0x0B }
    }

    /// The longest descriptor, as in the kernel.
    static let maximumLength = 4096
    /// The longest report in bits.
    static let maximumReport = 8 * 4096
    /// The greatest number of keys and lamps.
    static let maximumFields = 32

    private(set) var keys: [Field] = []
    private(set) var lamps: [Field] = []
    /// Whether each report begins with its number.
    private(set) var hasNumbers = false
    /// The length in bits of each output report.
    private(set) var outputs: [UInt8: Int] = [:]

    /// Reads a descriptor; nil if it is broken, or describes none of the keys.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumLength else { return nil }
        var parser = HIDParser(bytes)
        guard parser.parse() else { return nil }
        (keys, lamps, hasNumbers, outputs) = (parser.keys, parser.lamps, parser.hasNumbers, parser.outputs)
        if keys.isEmpty { return nil }
    }

    /// Returns whether a key is pressed in a report; nil if the report has other keys, or ends before it.
    func isPressed(_ key: Field, in report: [UInt8]) -> Bool? {
        guard !hasNumbers || report.first == key.report else { return nil }
        let start = (hasNumbers ? 8 : 0) + key.bit
        guard start + key.size <= 8 * report.count else { return nil }
        return (start..<start + key.size).contains { report[$0 / 8] >> ($0 % 8) & 1 != 0 }
    }

    /// Returns the reports that light some of the lamps and put out the others, each behind its number.
    func reports(lighting lit: Set<Usage>) -> [[UInt8]] {
        Set(lamps.map(\.report)).sorted().map { number in
            var report = [UInt8](repeating: 0, count: 1 + ((outputs[number] ?? 0) + 7) / 8)
            report[0] = number
            for lamp in lamps where lamp.report == number && lit.contains(lamp.usage) {
                report[1 + lamp.bit / 8] |= 1 << (lamp.bit % 8)
            }
            return report
        }
    }
}

/// The reader of the items of a report descriptor.
private struct HIDParser {
    private struct Globals {
        var page: UInt32 = 0
        var size = 0
        var count = 0
        var report: UInt8 = 0
    }

    private static let maximumStack = 8
    private static let maximumUsages = 512

    private let bytes: [UInt8]
    private var globals = Globals()
    private var stack: [Globals] = []
    private var usages: [UInt32] = []
    private var usageMinimum: UInt32?
    /// The bits so far of each input and each output report.
    private var inputs: [UInt8: Int] = [:]

    private(set) var outputs: [UInt8: Int] = [:]
    private(set) var keys: [HIDDescriptor.Field] = []
    private(set) var lamps: [HIDDescriptor.Field] = []
    private(set) var hasNumbers = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads all items; false if one breaks the rules.
    mutating func parse() -> Bool {
        var place = 0
        while place < bytes.count {
            let prefix = bytes[place]
            guard prefix != 0xFE else {
                // A long item, which nothing defines.
                guard place + 1 < bytes.count else { return false }
                place += 3 + Int(bytes[place + 1])
                continue
            }
            let length = [0, 1, 2, 4][Int(prefix & 3)]
            guard place + length < bytes.count else { return false }
            var value: UInt32 = 0
            for index in 0..<length { value |= UInt32(bytes[place + 1 + index]) << (8 * index) }
            place += 1 + length
            let isRead =
                switch prefix >> 2 & 3 {
                case 0: readMain(prefix >> 4, value)
                case 1: readGlobal(prefix >> 4, value)
                case 2: readLocal(prefix >> 4, value, length)
                default: true
                }
            guard isRead else { return false }
        }
        return place == bytes.count
    }

    private mutating func readMain(_ tag: UInt8, _ flags: UInt32) -> Bool {
        defer { (usages, usageMinimum) = ([], nil) }
        switch tag {
        case 8: return add(flags, isInput: true)
        case 9: return add(flags, isInput: false)
        default: return true
        }
    }

    private mutating func readGlobal(_ tag: UInt8, _ value: UInt32) -> Bool {
        switch tag {
        case 0: globals.page = value & 0xFFFF
        case 7:
            guard value <= 256 else { return false }
            globals.size = Int(value)
        case 8:
            guard (1...255).contains(value) else { return false }
            (globals.report, hasNumbers) = (UInt8(value), true)
        case 9:
            guard value <= HIDDescriptor.maximumReport else { return false }
            globals.count = Int(value)
        case 10:
            guard stack.count < Self.maximumStack else { return false }
            stack.append(globals)
        case 11:
            guard let last = stack.popLast() else { return false }
            globals = last
        default: break
        }
        return true
    }

    private mutating func readLocal(_ tag: UInt8, _ value: UInt32, _ length: Int) -> Bool {
        // Four bytes have a page of their own.
        let usage = length == 4 ? value : globals.page << 16 | value
        switch tag {
        case 0: usages.append(usage)
        case 1: usageMinimum = usage
        case 2:
            guard let first = usageMinimum, first <= usage, usage - first < UInt32(Self.maximumUsages) else {
                return false
            }
            usages += first...usage
            usageMinimum = nil
        default: break
        }
        return usages.count <= Self.maximumUsages
    }

    /// Adds the fields of an input or output item.
    private mutating func add(_ flags: UInt32, isInput: Bool) -> Bool {
        let begin = (isInput ? inputs : outputs)[globals.report] ?? 0
        let end = begin + globals.size * globals.count
        guard end <= HIDDescriptor.maximumReport else { return false }
        if isInput { inputs[globals.report] = end } else { outputs[globals.report] = end }
        // Constant bits are padding, and a list of what is pressed is for keys that this phone does not know.
        guard flags & 1 == 0, flags & 2 != 0, globals.size > 0 else { return true }
        for (index, usage) in usages.prefix(globals.count).enumerated() {
            guard let known = HIDDescriptor.Usage(rawValue: usage), known.isKey == isInput else { continue }
            guard keys.count + lamps.count < HIDDescriptor.maximumFields else { return false }
            let field = HIDDescriptor.Field(
                usage: known, report: globals.report, bit: begin + index * globals.size, size: globals.size,
                isRelative: flags & 4 != 0, isSwitch: flags & 4 == 0 && flags & 32 != 0)
            if isInput { keys.append(field) } else { lamps.append(field) }
        }
        return true
    }
}
