// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads the report descriptor of a headset, and two reports of it behind a zero item that nothing defines (0xFE).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeadsets(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: data, count: size)
    let parts = bytes.split(separator: 0xFE, maxSplits: 2, omittingEmptySubsequences: false).map(Array.init)
    for text in parts { _ = InputEvents.keys(in: text) }
    _ = InputEvents.isHeadset(String(decoding: parts.last ?? [], as: UTF8.self))
    guard let headset = HIDDescriptor(parts[0]) ?? HIDDescriptor(Array(bytes)) else { return 0 }
    precondition(!headset.keys.isEmpty && headset.keys.allSatisfy { $0.usage.isKey })
    precondition(headset.lamps.allSatisfy { !$0.usage.isKey })
    precondition(headset.keys.count + headset.lamps.count <= HIDDescriptor.maximumFields)
    for report in parts.dropFirst() + [[]] {
        for key in headset.keys {
            guard let isPressed = headset.isPressed(key, in: report) else { continue }
            _ = HIDDescriptor.key(key, isPressed: isPressed)
        }
    }
    let lit = headset.reports(lighting: Set(headset.lamps.map(\.usage)))
    precondition(lit.allSatisfy { $0.count <= 1 + HIDDescriptor.maximumReport / 8 })
    precondition(lit.count == Set(headset.lamps.map(\.report)).count)
    return 0
}
