// SPDX-License-Identifier: GPL-3.0-or-later

extension ContactBook {
    /// Returns whether a caller is on a memory key: by the number or the address, or as a contact who has it.
    public func isFavourite(_ caller: RemoteParty) -> Bool {
        if isOnKey(caller.number) || isOnKey(caller.address) { return true }
        return contact(for: caller)?.card.methods.contains {
            $0.number.map(isOnKey) ?? ($0.callAddress.map { isOnKey($0.text) } ?? false)
        } ?? false
    }

    private func isOnKey(_ number: DialledNumber) -> Bool {
        memory.values.contains {
            if case .number(let kept) = $0.target { NumberKey.isSame(kept, number) } else { false }
        }
    }

    private func isOnKey(_ address: String) -> Bool {
        guard let key = CallAddress.key(address) else { return false }
        return memory.values.contains {
            if case .address(let kept) = $0.target { CallAddress.key(kept.text) == key } else { false }
        }
    }
}
