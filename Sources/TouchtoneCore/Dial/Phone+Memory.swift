// SPDX-License-Identifier: GPL-3.0-or-later

// The memory keys: MEM and a digit dial, MEM held and a digit store.

/// Has what the memory keys hold; the book of contacts.
@MainActor
public protocol MemoryKeyStore: AnyObject {
    /// What the memory keys hold, by their digit, 1 to 9.
    var memory: [Int: MemoryKey] { get }
    /// Has a memory key, 1 to 9, hold that, or nothing.
    func setMemoryKey(_ digit: Int, _ key: MemoryKey?)
    /// What who has that number is called; nil where nobody is known by it.
    func name(for number: DialledNumber) -> String?
}

extension ContactBook: MemoryKeyStore {}

extension Phone {
    /// What the MEM key asks for; nil at rest.
    public var memoryQuestion: MemoryDialling.Question? { memory.question }

    /// Whether MEM, which asks, is still down.
    public var isMemoryHeld: Bool { memory.isHeld }

    /// MEM goes down, which asks which memory key to dial; once more takes it back.
    ///
    /// Held, it stores. It does nothing without memory keys, and in a call, whose keys go to the far end.
    public func pressMemory() {
        changeMemory { if canUseMemory { $0.press(at: $1) } }
    }

    /// MEM comes up.
    public func releaseMemory() { changeMemory { $0.release(at: $1) } }

    /// Asks for the digit of a memory key, as MEM does, or held MEM; where that is asked already, takes it back.
    public func askMemory(_ question: MemoryDialling.Question) {
        changeMemory {
            guard canUseMemory else { return }
            if $0.question == question { $0.leave() } else { $0.ask(question, at: $1) }
        }
    }

    /// Takes the question of the MEM key back.
    public func leaveMemory() { changeMemory { memory, _ in memory.leave() } }

    /// Does what the MEM key asks for with the memory key of a digit, as its key on the keypad does.
    public func chooseMemory(_ digit: Int) {
        guard let key = UInt8(exactly: digit).flatMap(DTMFKey.init(rawValue:)) else { return }
        takeForMemory(key)
        publish()
    }

    /// Puts a number in place of the one displayed, and calls it: somebody has asked for just that.
    ///
    /// - Returns: false, and nothing has changed, where the Dial key does not dial now: in a call, or while somebody calls.
    @discardableResult
    public func call(_ number: DialledNumber) -> Bool {
        guard dialKey == .dial else {
            refuse(.linesInUse)
            publish()
            return false
        }
        makeWayForNumber()
        show(number, saying: atRest)
        pressDial()
        publish()
        return true
    }

    /// Puts the number of somebody in place of the one displayed, says whose it is, and waits.
    ///
    /// - Returns: false, and nothing has changed, in a call.
    @discardableResult
    public func fill(_ number: DialledNumber, name: String) -> Bool {
        guard keypad == .number else { return false }
        makeWayForNumber()
        show(number, saying: .chosen(name: name))
        publish()
        return true
    }
}

// MARK: - How it goes

extension Phone {
    private var canUseMemory: Bool { memoryKeys != nil && keypad == .number }

    private func changeMemory(_ change: (inout MemoryDialling, Duration) -> Void) {
        let before = memory.question
        change(&memory, now)
        showMemory(after: before)
        publish()
    }

    /// Says what is asked for.
    private func showMemory(after before: MemoryDialling.Question?) {
        guard memory.question != before else { return }
        switch memory.question {
        case .dial: status = .memoryToDial
        case .store where number.isDialable: status = .memoryToStore
        case .store:
            memory.leave()
            refuse(.noNumber)
        case nil: status = atRest
        }
    }

    /// Time has passed for the MEM key.
    func advanceMemory() { changeMemory { $0.advance(to: $1) } }

    /// Has a key do what MEM asks for, in place of what it does at rest; it makes no tone, as nothing is typed.
    ///
    /// - Returns: false where the key is not for MEM.
    func takesForMemory(_ effect: KeyPressTracker.Effect) -> Bool {
        guard memory.question != nil else { return false }
        switch effect {
        case .enter(let key): return takeForMemory(key)
        case .enterPlus, .zeroBecomesPlus, .deleteLast, .clear, .dial: leaveMemoryByKey()
        case .sound: if !keysClick { click() }
        case .silence, .keyDown, .keyUp: return false
        }
        return true
    }

    /// - Returns: false where nothing is asked for, or not any more.
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
        // DEL held would clear the number.
        keepHeldKeysShort()
    }

    private func dialMemory(_ digit: Int) {
        guard let key = memoryKeys?.memory[digit] else { return refuse(.memoryEmpty(digit)) }
        makeWayForNumber()
        show(key.number, saying: atRest)
        pressDial()
    }

    private func store(_ digit: Int) {
        guard let memoryKeys, number.isDialable else { return refuse(.noNumber) }
        memoryKeys.setMemoryKey(digit, MemoryKey(number, name: memoryKeys.name(for: number) ?? ""))
        status = .memoryStored(digit)
    }
}
