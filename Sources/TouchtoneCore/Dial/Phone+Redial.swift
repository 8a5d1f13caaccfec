// SPDX-License-Identifier: GPL-3.0-or-later

extension Phone {
    /// Replaces the displayed number with the last number dialled, without dialling it.
    public func redial() {
        edit { recall() }
        publish()
    }

    /// Replaces the displayed number with the last number dialled, which may be of an earlier run.
    func recall() {
        memory.leave()
        if let lastAddress { return show(lastAddress, saying: .redial) }
        if let lastDialled { return show(lastDialled, saying: .redial) }
        guard let findLastDialled else { return status = .enterNumber }
        guard !isFindingLastDialled else { return }
        isFindingLastDialled = true
        let replaced = number
        Task { [weak self] in
            let found = await findLastDialled()
            self?.recall(found, inPlaceOf: replaced)
        }
    }

    /// Shows the last number of an earlier run, unless the phone was used in the meantime.
    private func recall(_ found: DialledNumber?, inPlaceOf replaced: DialledNumber) {
        isFindingLastDialled = false
        lastDialled = lastDialled ?? found
        guard number == replaced, address == nil, keypad == .number, dialKey == .dial, memory.question == nil
        else { return }
        makeWayForNumber()
        if let lastDialled { show(lastDialled, saying: .redial) } else { status = .enterNumber }
        publish()
    }
}
