// SPDX-License-Identifier: GPL-3.0-or-later

extension [UInt8] {
    /// Returns whether the array contains a sequence of bytes; an empty one is always contained.
    func holds(_ searched: [UInt8]) -> Bool {
        withUnsafeBufferPointer { bytes in
            searched.withUnsafeBufferPointer { searched in bytes.holds(searched) }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
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
