// SPDX-License-Identifier: GPL-3.0-or-later

/// The gestures of one finger on a widget: a tap, a long press, and a swipe to the side.
///
/// They see each touch before the children of the widget do, and leave it to them, except for a long press that is
/// handled. A touch that becomes a scroll of a parent is none of these.
@MainActor
public final class TouchGestures {
    /// A place in pixels from the corner of the widget.
    public struct Place {
        public let x, y: Double
    }

    /// Called when a finger touches the widget.
    public var onBegin: (@MainActor () -> Void)?
    /// Called when the finger is lifted where it touched the widget.
    public var onTap: (@MainActor () -> Void)?
    /// Called when the finger rests, with its touch; returns whether that was handled.
    public var onLongPress: (@MainActor (Place, UnsafeMutablePointer<GdkEvent>) -> Bool)?
    /// Called with the place that was touched when the finger is lifted far to the left or the right of it.
    public var onSwipe: (@MainActor (Place) -> Void)?

    /// Whether a finger touches the widget, and has not become anything else.
    public var isTouched: Bool { begin != nil }
    private let drag, press: GObjectRef
    private var begin: Place?
    /// The greatest distance of a tap, and the least of a swipe, in pixels.
    private static let (tap, swipe) = (12.0, 64.0)

    public init(on widget: Widget) {
        guard let drag = gtk_gesture_drag_new(widget), let press = gtk_gesture_long_press_new(widget) else {
            preconditionFailure("GTK always creates a gesture, or terminates the program")
        }
        let (dragged, pressed) = (UnsafeMutableRawPointer(drag), UnsafeMutableRawPointer(press))
        (self.drag, self.press) = (GObjectRef(taking: dragged), GObjectRef(taking: pressed))
        for gesture in [drag, press] {
            gtk_gesture_single_set_touch_only(gesture, 1)
            gtk_event_controller_set_propagation_phase(gesture, GTK_PHASE_CAPTURE)
        }
        Signal.connectPlace(dragged, "drag-begin") { [weak self] x, y in
            self?.begin = Place(x: x, y: y)
            self?.onBegin?()
        }
        Signal.connectPlace(dragged, "drag-end") { [weak self] in self?.end($0, $1) }
        // A parent has taken the touch, to scroll.
        Signal.connectPointer(dragged, "cancel") { [weak self] _ in self?.begin = nil }
        Signal.connectState(dragged, "sequence-state-changed") { [weak self] in
            if $0 == GTK_EVENT_SEQUENCE_DENIED { self?.begin = nil }
        }
        Signal.connectPlace(pressed, "pressed") { [weak self] x, y in
            guard let self, begin != nil,
                let touch = gtk_gesture_get_last_event(
                    press, gtk_gesture_single_get_current_sequence(press)),
                onLongPress?(Place(x: x, y: y), UnsafeMutablePointer(mutating: touch)) == true
            else { return }
            begin = nil
            gtk_gesture_set_state(press, GTK_EVENT_SEQUENCE_CLAIMED)
        }
    }

    private func end(_ x: Double, _ y: Double) {
        guard let begin else { return }
        self.begin = nil
        if max(abs(x), abs(y)) < Self.tap { onTap?() }
        if abs(x) > max(Self.swipe, 2 * abs(y)) { onSwipe?(begin) }
    }
}

extension Signal {
    /// Connects to a signal with a place: `void handler(instance, x, y, data)`.
    fileprivate static func connectPlace(
        _ instance: UnsafeMutableRawPointer, _ name: String,
        _ handler: @escaping @MainActor (Double, Double) -> Void
    ) {
        let trampoline: @convention(c) (gpointer?, gdouble, gdouble, gpointer?) -> Void = { _, x, y, data in
            Box<@MainActor (Double, Double) -> Void>.call(data) { $0(x, y) }
        }
        connect(instance, name, trampoline, handler)
    }

    /// Connects to a signal with a state: `void handler(instance, sequence, state, data)`.
    fileprivate static func connectState(
        _ instance: UnsafeMutableRawPointer, _ name: String,
        _ handler: @escaping @MainActor (GtkEventSequenceState) -> Void
    ) {
        let trampoline: @convention(c) (gpointer?, gpointer?, GtkEventSequenceState, gpointer?) -> Void = {
            _, _, state, data in
            Box<@MainActor (GtkEventSequenceState) -> Void>.call(data) { $0(state) }
        }
        connect(instance, name, trampoline, handler)
    }
}
