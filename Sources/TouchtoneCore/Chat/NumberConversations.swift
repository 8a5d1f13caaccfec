// SPDX-License-Identifier: GPL-3.0-or-later

/// The conversations with telephone numbers at a gateway (XEP-0100), and the people behind all addresses.
@MainActor
public final class NumberConversations {
    /// The address of the gateway to use, as the user entered it; empty or invalid to use the one that is found.
    public var setting = "" {
        didSet {
            guard setting != oldValue else { return }
            chosen = chat?.gatewayService?.gateway(setting)
            gatewayChanged()
        }
    }
    /// The gateway that the user has chosen; nil if there is none.
    public private(set) var chosen: ChatAddress?
    /// The gateway for numbers; nil if there is none, or none has been found yet.
    public var gateway: ChatAddress? { chosen ?? (found?.account == chat?.account ? found?.gateway : nil) }
    /// Called with each account and the gateway that was found for it, to be remembered for the next run.
    public var onFound: (@MainActor (ChatAddress, ChatAddress) -> Void)?
    /// Called with an account and the numbers of its addresses that do not show them, to be remembered for the next run.
    public var onAssigned: (@MainActor (ChatAddress, [ChatAddress: DialledNumber]) -> Void)?
    /// Adds the country code to a number without `*`, `#` and pauses; nil if it is unknown.
    public var international: @MainActor (DialledNumber) -> DialledNumber? = { _ in nil }
    /// Formats a number as on the display; call `refresh` when its results change.
    public var format: @MainActor (DialledNumber) -> String = { $0.text }
    public var contacts: ContactBook? {
        didSet { contacts?.observe(by: self) { [weak self] in if $0 == .rows { self?.refresh() } } }
    }

    private weak var chat: Chat?
    private var found: (account: ChatAddress, gateway: ChatAddress)?
    /// The numbers of the addresses that gateways have assigned to an account.
    private var assigned: (account: ChatAddress?, numbers: [ChatAddress: DialledNumber]) = (nil, [:])
    private let observers = Observers<Void>()

    /// The numbers of digits that a number can have after its country code’s plus sign (ITU-T E.164).
    private static let digits = 5...15
    /// The numbers of digits of an address without a plus sign, which can be a short code.
    private static let shortDigits = 3...15
    /// The greatest number of assigned addresses to store.
    private static let maximumAssigned = 200

    init(of chat: Chat) { self.chat = chat }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
    }

    /// Restores the gateway that was found in an earlier run.
    public func remember(_ gateway: ChatAddress, of account: ChatAddress) {
        guard found == nil else { return }
        found = (account, gateway)
        gatewayChanged()
    }

    /// Restores the numbers of an account’s addresses that an earlier run has reported by `onAssigned`.
    public func remember(_ numbers: [ChatAddress: DialledNumber], of account: ChatAddress) {
        guard assigned.account == nil else { return }
        assigned = (account, numbers)
        refresh()
    }

    /// Records the gateway that the account’s service has found.
    func take(_ gateway: ChatAddress) {
        guard let account = chat?.account else { return }
        onFound?(account, gateway)
        guard found?.account != account || found?.gateway != gateway else { return }
        found = (account, gateway)
        gatewayChanged()
    }

    /// Searches for a gateway, unless one is chosen or the account’s service already knows it.
    public func find() async {
        guard chosen == nil else { return }
        if let gateway = await chat?.gatewayService?.findGateway() { take(gateway) }
    }

    /// Updates the names of all conversations.
    public func refresh() { chat?.buddies.identifyAll() }

    private func gatewayChanged() {
        refresh()
        observers.notify(())
    }
}

// MARK: - Numbers and addresses

extension NumberConversations {
    /// Returns the number that an address of the gateway stands for; nil for any other address.
    public func number(of address: ChatAddress) -> DialledNumber? {
        guard let gateway, !address.isOccupant, address.text.hasSuffix("@" + gateway.text) else { return nil }
        if assigned.account == chat?.account, let number = assigned.numbers[address] { return number }
        return Self.number(shownBy: address.text.dropLast(gateway.text.count + 1))
    }

    /// Returns the number that the first part of an address shows; nil if it shows none.
    private static func number(shownBy local: Substring) -> DialledNumber? {
        guard let number = number(in: unescaped(local)) else { return nil }
        let range = number.isInternational ? digits : shortDigits
        return range.contains(number.digits.count) ? number : nil
    }

    /// Returns the unescaped text, without `tel:` (XEP-0106), as far as a number may need it.
    private static func unescaped(_ local: Substring) -> String {
        let text = local.replacing("\\20", with: " ").replacing("\\2f", with: "/").replacing(
            "\\3a", with: ":")
        return String(text.hasPrefix("tel:") ? text.dropFirst(4) : text)
    }

    /// Returns the address that the gateway assigns to a number, to which nothing is sent.
    public func address(of number: DialledNumber) async throws(NumberError) -> ChatAddress {
        guard let chat, let account = chat.account, let service = chat.gatewayService else {
            throw .noAccount
        }
        let complete = try completed(number)
        if let known = known(complete) { return known }
        if gateway == nil { await find() }
        guard account == chat.account else { throw .refused(.offline) }
        guard let gateway else { throw chat.state == .online ? .noGateway : .refused(.offline) }
        let address: ChatAddress
        do throws(ChatServiceError) {
            address = try await service.address(of: complete, at: gateway)
        } catch {
            throw .refused(error)
        }
        guard account == chat.account, address.text.hasSuffix("@" + gateway.text) else {
            throw .refused(.offline)
        }
        assign(address, to: complete, of: account)
        chat.buddies.identify(address)
        return address
    }

    /// Records the address of a number, and reports it if the address does not show the number.
    private func assign(_ address: ChatAddress, to number: DialledNumber, of account: ChatAddress) {
        if assigned.account != account || assigned.numbers.count >= Self.maximumAssigned {
            assigned = (account, [:])
        }
        assigned.numbers[address] = number
        func isShown(_ address: ChatAddress) -> Bool {
            Self.number(shownBy: address.text.prefix { $0 != "@" }) != nil
        }
        if !isShown(address) { onAssigned?(account, assigned.numbers.filter { !isShown($0.key) }) }
    }

    /// Returns the address of a number that has a conversation, without asking the gateway.
    private func known(_ number: DialledNumber) -> ChatAddress? {
        chat?.buddies.addresses.filter { address in
            self.number(of: address).map { $0.digits == number.digits } == true
        }.min()
    }

    private func completed(_ number: DialledNumber) throws(NumberError) -> DialledNumber {
        let main = DialledNumber(String(number.main)) ?? DialledNumber()
        guard main.isDialable, main.isPlain else { throw .notANumber }
        let complete = international(main) ?? main
        guard complete.isInternational, complete.isPlain, Self.digits.contains(complete.count - 1) else {
            throw .incomplete(format(main))
        }
        return complete
    }

    /// Returns the number that a typed text consists of; nil if it has anything else, such as letters.
    static func number(in text: String) -> DialledNumber? {
        let isNumber = text.unicodeScalars.allSatisfy {
            $0.properties.numericType == .decimal || "+ -./()".unicodeScalars.contains($0)
                || $0.properties.isWhitespace || $0.properties.generalCategory == .format
        }
        guard isNumber, case .number(let number) = DialledNumber.read(text), number.isDialable else {
            return nil
        }
        return number
    }
}

// MARK: - People

extension NumberConversations {
    /// Returns the person behind an address: its contact and its number, as far as they are known.
    func person(of address: ChatAddress) -> BuddyIdentity {
        guard let number = number(of: address) else {
            let contact = contacts?.contact(for: address)
            return BuddyIdentity(contact: contact?.id, name: contact?.card.name)
        }
        let contact = contacts?.known(number)
        return BuddyIdentity(
            contact: contact?.id, name: contact?.card.name, number: number, numberText: format(number))
    }
}

extension DialledNumber {
    /// The digits, without a plus sign.
    fileprivate var digits: Substring { isInternational ? text.dropFirst() : text[...] }
}

/// The person behind an address, as far as known.
public struct BuddyIdentity: Hashable, Sendable {
    public var contact: Contact.ID?
    public var name: String?
    public var number: DialledNumber?
    /// The number as on the display; empty if there is none.
    public var numberText = ""
}

/// The reason why there is no conversation with a telephone number.
public enum NumberError: Error, Hashable, Sendable {
    case noAccount
    case noGateway
    /// The number is a code, or no number.
    case notANumber
    /// The number, as shown, lacks the area code or the country code.
    case incomplete(String)
    case refused(ChatServiceError)

    /// The error text: what happened and what to do, in one or two sentences.
    public var text: String {
        switch self {
        case .noAccount: localized("Texting a number needs a Jabber account. Add one in Preferences.")
        case .noGateway:
            localized(
                "Your server has no gateway for phone numbers. Enter the address of one in Preferences.")
        case .notANumber: localized("Only phone numbers can be texted, not codes with * or #.")
        case .incomplete(let number):
            localized(
                "{number} is not a complete phone number. Add its area code or country code.",
                ["number": number])
        case .refused(let error): error.text
        }
    }

    /// Whether the user can solve the problem in Preferences.
    public var isSolvedInPreferences: Bool { self == .noAccount || self == .noGateway }
}
