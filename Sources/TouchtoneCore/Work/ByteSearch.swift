// SPDX-License-Identifier: GPL-3.0-or-later

extension [UInt8] {
    /// Whether these bytes are in it, one after the other; nothing is in everything.
    func holds(_ searched: [UInt8]) -> Bool {
        withUnsafeBufferPointer { bytes in
            searched.withUnsafeBufferPointer { searched in bytes.holds(searched) }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether these bytes are in it, one after the other; nothing is in everything.
    func holds(_ searched: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = searched.first else { return true }
        guard count >= searched.count else { return false }
        for start in 0...(count - searched.count) where self[start] == first {
            var length = 1
            while length < searched.count, self[start + length] == searched[length] { length += 1 }
            if length == searched.count { return true }
        }
        return false
    }
}
