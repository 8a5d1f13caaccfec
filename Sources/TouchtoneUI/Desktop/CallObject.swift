// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// One call on the bus, with the properties that were told last.
@MainActor
final class CallObject {
    let id: Call.ID
    private(set) var shown: CallProperties
    private var export: DBusExport?

    init(id: Call.ID, _ properties: CallProperties) { (self.id, shown) = (id, properties) }

    /// The interface with its properties, for the object manager.
    var interfaceEntry: Variant { .entry(.string(CallObjects.interface), .dictionary(shown.entries)) }

    /// Offers the object; `perform` carries a method out.
    func offer(
        on bus: DBusConnection, at path: String,
        perform: @escaping @MainActor (String, Variant) throws(DBusError) -> Void
    ) throws(GLibError) {
        export = try bus.export(Self.description, at: path) { [weak self] name in
            self?.shown.entries.first { $0.key == name }?.value
        } answering: { (method, values) throws(DBusError) in
            try perform(method, values)
            return []
        }
    }

    func withdraw() { export = nil }

    /// Tells the properties that have changed.
    func show(_ new: CallProperties) {
        let changes = new.changes(since: shown)
        shown = new
        if !changes.isEmpty { export?.emitChanges(changes) }
    }

    private static let description = """
        <node><interface name="\(CallObjects.interface)">
          <property name="Line" type="s" access="read"/>
          <property name="Direction" type="s" access="read"/>
          <property name="State" type="s" access="read"/>
          <property name="Name" type="s" access="read"/>
          <property name="Address" type="s" access="read"/>
          <property name="Started" type="t" access="read"/>
          <property name="Muted" type="b" access="read"/>
          <property name="Held" type="b" access="read"/>
          <property name="Recording" type="b" access="read"/>
          <method name="Answer"/>
          <method name="HangUp"/>
          <method name="Hold"/>
          <method name="Resume"/>
          <method name="Mute"><arg name="muted" type="b" direction="in"/></method>
          <method name="SendKeys"><arg name="keys" type="s" direction="in"/></method>
          <method name="TransferTo"><arg name="target" type="s" direction="in"/></method>
        </interface></node>
        """
}
