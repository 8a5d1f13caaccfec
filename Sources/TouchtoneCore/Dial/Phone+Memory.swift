// SPDX-License-Identifier: GPL-3.0-or-later

// The memory keys: MEM and a digit dial, MEM held and a digit store.

/// A store of the memory keys, which is the contact book.
@MainActor
public protocol MemoryKeyStore: AnyObject {
    /// The contents of the memory keys, by digit, 1 to 9.
    var memory: [Int: MemoryKey] { get }
    /// Assigns a number or an address to memory key 1-9, or clears the key if `key` is nil.
    func setMemoryKey(_ digit: Int, _ key: MemoryKey?)
    func name(for remote: RemoteParty) -> String?
}

extension ContactBook: MemoryKeyStore {}

extension Phone {
    /// The prompt of the MEM key; nil at rest.
    public var memoryQuestion: MemoryDialling.Question? { memory.question }

    public var isMemoryHeld: Bool { memory.isHeld }

    /// Presses MEM, which prompts, stores when held, and cancels when pressed again; not during a call.
    public func pressMemory() {
        changeMemory { if canUseMemory { $0.press(at: $1) } }
    }

    public func releaseMemory() { changeMemory { $0.release(at: $1) } }

    /// Shows a prompt, as pressing or holding MEM does; if it is shown already, cancels it.
    public func askMemory(_ question: MemoryDialling.Question) {
        changeMemory {
            guard canUseMemory else { return }
            if $0.question == question { $0.leave() } else { $0.ask(question, at: $1) }
        }
    }

    public func leaveMemory() { changeMemory { memory, _ in memory.leave() } }

    /// Chooses the memory key of a digit, as that digit on the keypad does.
    public func chooseMemory(_ digit: Int) {
        guard let key = UInt8(exactly: digit).flatMap(DTMFKey.init(rawValue:)) else { return }
        takeForMemory(key)
        publish()
    }

    /// Replaces the displayed number, and shows the name, without dialling; false during a call.
    @discardableResult
    public func fill(_ number: DialledNumber, name: String) -> Bool {
        guard keypad == .number else { return false }
        makeWayForNumber()
        show(number, saying: .chosen(name: name))
        publish()
        return true
    }
}

// MARK: - Prompts

extension Phone {
    private var canUseMemory: Bool { memoryKeys != nil && keypad == .number }

    private func changeMemory(_ change: (inout MemoryDialling, Duration) -> Void) {
        let before = memory.question
        change(&memory, now)
        showMemory(after: before)
        publish()
    }

    private func showMemory(after before: MemoryDialling.Question?) {
        guard memory.question != before else { return }
        switch memory.question {
        case .dial: status = .memoryToDial
        case .store where targetToStore != nil: status = .memoryToStore
        case .store:
            memory.leave()
            refuse(.noNumber)
        case nil: status = atRest
        }
    }

    func advanceMemory() { changeMemory { $0.advance(to: $1) } }

    /// Handles a key while MEM prompts, without a tone, since no number is typed; false if it is not for MEM.
    func takesForMemory(_ effect: KeyPressTracker.Effect) -> Bool {
        guard memory.question != nil else { return false }
        switch effect {
        case .enter(let key): return takeForMemory(key)
        case .oneHeld: break
        case .enterPlus, .zeroBecomesPlus, .deleteLast, .clear, .dial: leaveMemoryByKey()
        case .sound: if !keysClick { click() }
        case .silence, .keyDown, .keyUp: return false
        }
        return true
    }

    /// - Returns: False if there is no prompt.
    @discardableResult
    private func takeForMemory(_ key: DTMFKey) -> Bool {
        guard let answer = memory.take(key, at: now) else { return false }
        keepHeldKeysShort()
        switch answer {
        case .again: break
        case .dial(let digit): dialMemory(digit)
        case .store(let digit): store(digit)
        }
        return true
    }

    private func leaveMemoryByKey() {
        memory.leave()
        status = atRest
        // DEL would otherwise clear the number when held.
        keepHeldKeysShort()
    }

    private func dialMemory(_ digit: Int) {
        guard let key = memoryKeys?.memory[digit] else { return refuse(.memoryEmpty(digit)) }
        callKept(key.target)
    }

    /// Calls what a memory key holds, or picks up the call that rings at its extension.
    public func callKept(_ target: CallTarget) {
        guard let line = officeKeys?.line(watching: target), let extensions = line.extensions else {
            switch target {
            case .number(let number): call(number)
            case .address(let address): call(address)
            }
            return
        }
        defer { publish() }
        guard canCall else { return refuse(.linesInUse) }
        makeWayForNumber()
        switch target {
        case .number(let number): show(number, saying: atRest)
        case .address(let address): show(address, saying: atRest)
        }
        guard extensions.state(of: target) == .ringing else { return callShown(on: line) }
        guard let pickup = extensions.pickup(at: target) else { return refuse(.noPickup) }
        if !calls.dial(target.remote, on: line, begin: pickup) { refuse(.linesInUse) }
    }

    /// The number or the SIP address to dial, which a memory key can hold; nil if there is none.
    public var targetToStore: CallTarget? {
        switch address {
        case .sip: address.map { .address($0) }
        case .jabber: nil
        case nil: number.isDialable ? .number(number) : nil
        }
    }

    private func store(_ digit: Int) {
        guard let memoryKeys, let target = targetToStore else { return refuse(.noNumber) }
        memoryKeys.setMemoryKey(
            digit, MemoryKey(target, name: memoryKeys.name(for: target.remote) ?? ""))
        status = .memoryStored(digit)
    }
}
