// SPDX-License-Identifier: GPL-3.0-or-later

public import GLibBridge
public import TouchtoneCore

/// The user's mobile phones as lines: those that PipeWire offers now, and the one that Dial is to use, so that no number
/// goes to another line while that phone is away.
@MainActor
public final class MobileLines: MobilePhones {
    public struct Dependencies {
        let lines: LineRegistry
        let clock: any Scheduler
        let makeRules: @MainActor (String) -> @MainActor () -> DialRules
        let connect: @MainActor (DBusConnection.Bus) async throws(GLibError) -> DBusConnection

        /// - Parameter makeRules: Returns the rules of a line by its id.
        public init(
            lines: LineRegistry, clock: any Scheduler,
            makeRules: @escaping @MainActor (String) -> @MainActor () -> DialRules,
            connect: @escaping @MainActor (DBusConnection.Bus) async throws(GLibError) -> DBusConnection
        ) {
            (self.lines, self.clock, self.makeRules, self.connect) = (lines, clock, makeRules, connect)
        }
    }

    /// The setting `dial-line`; the line of a phone that it names exists while the phone is away, too.
    public var chosen: String { didSet { if chosen != oldValue { keepChosen() } } }

    public private(set) var isOffered: Bool? { didSet { if isOffered != oldValue { observers.notify(()) } } }

    private let dependencies: Dependencies
    private let observers = Observers<Void>()
    private let limit = ReportLimit()
    private var mobiles: [BluetoothAddress: MobileLine] = [:]
    private var connected: [String: (address: BluetoothAddress, line: MobileLine, calls: PhoneCalls)] = [:]
    private var service: TelephonyService?
    private var paired: PairedPhones?
    private var isLookingForNames = false
    private var hasStarted = false

    public init(_ dependencies: Dependencies, chosen: String) {
        (self.dependencies, self.chosen) = (dependencies, chosen)
        keepChosen()
    }

    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
    }

    public var phones: [MobilePhone] {
        mobiles.sorted { $0.key.text < $1.key.text }.map { address, line in
            MobilePhone(
                id: line.id, name: line.name, isConnected: line.state == .available,
                battery: line.state == .available ? paired?.device(address)?.battery : nil)
        }
    }

    public func start() {
        guard !hasStarted else { return }
        hasStarted = true
        Task {
            guard let bus = try? await dependencies.connect(.session) else { return isOffered = false }
            let service = TelephonyService(bus) { [weak self] in self?.handle($0) }
            self.service = service
            service.begin()
        }
        if !mobiles.isEmpty { findNames() }
    }

    // MARK: - Phones

    private func handle(_ change: TelephonyService.Change) {
        switch change {
        case .running(let isRunning): isOffered = isRunning
        case .connected(let gateway, let control): connect(gateway, control)
        case .disconnected(let gateway): disconnect(gateway)
        case .call(let call, let path, let gateway): connected[gateway.path]?.calls.note(call, at: path)
        case .properties(let properties, let path, let gateway):
            connected[gateway.path]?.calls.change(properties, at: path)
        case .removed(let path, let gateway): connected[gateway.path]?.calls.remove(path)
        }
    }

    private func connect(_ gateway: TelephonyService.Gateway, _ control: any PhoneControl) {
        // One phone is one line, whatever the service says.
        guard let address = BluetoothAddress(gateway.address),
            !connected.values.contains(where: { $0.address == address })
        else { return }
        let line = line(for: address)
        connected[gateway.path] = (address, line, line.connect(control))
        findNames()
        observers.notify(())
    }

    private func disconnect(_ gateway: TelephonyService.Gateway) {
        guard let (address, line, _) = connected.removeValue(forKey: gateway.path) else { return }
        line.disconnect()
        removeUnlessChosen(address)
        observers.notify(())
    }

    private func line(for address: BluetoothAddress) -> MobileLine {
        if let line = mobiles[address] { return line }
        let line = MobileLine(
            address.lineID, clock: dependencies.clock, limit: limit,
            makeRules: dependencies.makeRules(address.lineID))
        line.ownName = paired?.device(address)?.name ?? ""
        mobiles[address] = line
        dependencies.lines.add(line)
        return line
    }

    private func removeUnlessChosen(_ address: BluetoothAddress) {
        guard let line = mobiles[address], line.id != chosen, line.calls == nil else { return }
        mobiles[address] = nil
        dependencies.lines.remove(line.id)
    }

    /// Adds the line of the chosen phone, and removes that of another one that is away.
    private func keepChosen() {
        if let address = BluetoothAddress(line: chosen) { _ = line(for: address) }
        for address in mobiles.keys where mobiles[address]?.id != chosen { removeUnlessChosen(address) }
        if hasStarted, !mobiles.isEmpty { findNames() }
        observers.notify(())
    }

    // MARK: - Names and batteries

    /// Asks BlueZ once there is a phone.
    private func findNames() {
        guard paired == nil, !isLookingForNames else { return }
        isLookingForNames = true
        Task {
            guard let bus = try? await dependencies.connect(.system) else { return isLookingForNames = false }
            let paired = PairedPhones(bus) { [weak self] in self?.showNames() }
            self.paired = paired
            paired.begin()
        }
    }

    private func showNames() {
        for (address, line) in mobiles {
            // The name stays while BlueZ starts again.
            if let name = paired?.device(address)?.name, !name.isEmpty { line.ownName = name }
        }
        observers.notify(())
    }
}
