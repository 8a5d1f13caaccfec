// SPDX-License-Identifier: GPL-3.0-or-later

extension ContactBook {
    /// Returns whether a caller is on a memory key: by the number, or as a contact who has it.
    public func isFavourite(_ caller: RemoteParty) -> Bool {
        func isOnKey(_ number: DialledNumber) -> Bool {
            memory.values.contains { NumberKey.isSame($0.number, number) }
        }
        if isOnKey(caller.number) { return true }
        return contact(for: caller)?.card.methods.contains { $0.number.map(isOnKey) ?? false } ?? false
    }
}
