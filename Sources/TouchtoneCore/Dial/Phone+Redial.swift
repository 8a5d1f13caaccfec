// SPDX-License-Identifier: GPL-3.0-or-later

extension Phone {
    /// Replaces the displayed number with the last number or address dialled, without dialling it.
    public func redial() {
        edit { recall() }
        publish()
    }

    /// Replaces the displayed number with the last number or address dialled, which may be of an earlier run.
    func recall() {
        memory.leave()
        guard !showLast() else { return }
        guard let findLastDialled else { return status = .enterNumber }
        guard !isFindingLastDialled else { return }
        isFindingLastDialled = true
        let replaced = number
        Task { [weak self] in
            let found = await findLastDialled()
            self?.recall(found, inPlaceOf: replaced)
        }
    }

    /// Shows the number or address that was dialled last in this run; false if there is none.
    private func showLast() -> Bool {
        if let lastAddress {
            show(lastAddress, saying: .redial)
        } else if let lastDialled {
            show(lastDialled, saying: .redial)
        } else {
            return false
        }
        return true
    }

    /// Shows the last number or address of an earlier run, unless the phone was used in the meantime.
    private func recall(_ found: RemoteParty?, inPlaceOf replaced: DialledNumber) {
        isFindingLastDialled = false
        if lastDialled == nil, lastAddress == nil, let found {
            if found.number.isEmpty {
                lastAddress = CallAddress(found.address)
            } else {
                lastDialled = found.number
            }
        }
        guard number == replaced, address == nil, keypad == .number, dialKey == .dial, memory.question == nil
        else { return }
        makeWayForNumber()
        if !showLast() { status = .enterNumber }
        publish()
    }
}
