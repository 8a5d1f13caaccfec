// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A row that chooses one of several values of a setting.
///
/// A value that is not among the choices, set by an administrator or a different version, is shown as an additional
/// one, so that opening the page never changes the setting.
@MainActor
final class ChoiceRow {
    struct Choice: Hashable {
        let value, label: String

        init(_ value: String, _ label: String) {
            (self.value, self.label) = (value, label)
        }
    }

    /// The choices for callers whom the user may not want.
    static var treatments: [Choice] {
        [
            .init("ring", localizedIn("calls from strangers", "Ring")),
            .init("machine", localizedIn("calls from strangers", "Answering Machine")),
            .init("decline", localizedIn("calls from strangers", "Decline as Busy")),
        ]
    }

    enum Storage {
        case text
        case count
        /// A text that an older key with the value `decline` overrides, until the user chooses here.
        case unknownCallers(older: String)
    }

    private let row: UnsafeMutablePointer<HdyComboRow>
    private let settings: Settings
    private let key: String
    private let storage: Storage
    private let nameOfUnknown: (String) -> String
    private var choices: [Choice]
    private var shown: [Choice] = []
    private var isShowing = false

    /// - Parameter nameOfUnknown: A function that returns the label for a value that is not among the choices.
    init(
        _ row: UnsafeMutablePointer<HdyComboRow>, of key: String, in settings: Settings,
        as storage: Storage = .text, _ choices: [Choice], nameOfUnknown: @escaping (String) -> String = { $0 }
    ) {
        (self.row, self.settings, self.key) = (row, settings, key)
        (self.storage, self.choices, self.nameOfUnknown) = (storage, choices, nameOfUnknown)
        settings.bindWritable(key, to: row.cast())
        settings.follow(key, until: row.cast()) { [weak self] in self?.show() }
        if case .unknownCallers(let older) = storage {
            settings.follow(older, until: row.cast()) { [weak self] in self?.show() }
        }
        show()
        Signal.connectNotify(row, "notify::selected-index") { [weak self] in self?.chosen() }
    }

    /// Replaces the choices without changing the setting.
    func offer(_ choices: [Choice]) {
        self.choices = choices
        show()
    }

    private var value: String {
        get {
            switch storage {
            case .text: settings[text: key]
            case .count: String(settings[count: key])
            case .unknownCallers(let older):
                CallerTreatment.ofUnknown(settings[text: key], older: settings[text: older]).rawValue
            }
        }
        set {
            switch storage {
            case .text: settings[text: key] = newValue
            case .count: settings[count: key] = UInt32(newValue) ?? 0
            case .unknownCallers(let older):
                settings[text: key] = newValue
                settings.reset(older)
            }
        }
    }

    private func show() {
        let value = value
        var wanted = choices
        if !wanted.contains(where: { $0.value == value }) {
            wanted.append(Choice(value, nameOfUnknown(value)))
        }
        isShowing = true
        if wanted != shown {
            shown = wanted
            hdy_combo_row_bind(row, names: wanted.map(\.label))
        }
        let index = wanted.firstIndex { $0.value == value } ?? 0
        hdy_combo_row_set_selected_index(row, gint(index))
        describe(wanted[index])
        isShowing = false
    }

    /// Sets the row's accessible description to the selected choice, which libhandy does not expose.
    private func describe(_ choice: Choice) {
        cgtk_widget_set_accessible(row.cast(), nil, choice.label)
    }

    private func chosen() {
        let index = Int(hdy_combo_row_get_selected_index(row))
        guard !isShowing, shown.indices.contains(index), shown[index].value != value else { return }
        value = shown[index].value
        show()
    }
}

@MainActor
func hdy_combo_row_bind(_ row: UnsafeMutablePointer<HdyComboRow>, names: [String]) {
    let list = GObjectRef(taking: UnsafeMutableRawPointer(g_list_store_new(hdy_value_object_get_type())))
    for name in names {
        let object = GObjectRef(taking: UnsafeMutableRawPointer(hdy_value_object_new_string(name)))
        g_list_store_append(list.opaque, UnsafeMutableRawPointer(object.object))
    }
    hdy_combo_row_bind_name_model(
        row, list.opaque,
        { item, _ in item.flatMap { hdy_value_object_dup_string(OpaquePointer($0)) } }, nil, nil)
    // libhandy cuts each choice after twenty characters, up to which the names of a card’s outputs are the same.
    guard let choices = gtk_widget_get_template_child(row.cast(), hdy_combo_row_get_type(), "list") else {
        return
    }
    WidgetTree.visit(choices.cast()) { label in
        guard cgtk_instance_is_a(label, gtk_label_get_type()) != 0 else { return }
        gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_NONE)
        gtk_label_set_max_width_chars(label.cast(), 32)
        label.wrapAnywhere()
    }
}
