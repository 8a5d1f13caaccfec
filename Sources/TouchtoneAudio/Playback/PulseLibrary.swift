// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import GLibBridge

/// libpulse, loaded for the first list of devices; any thread may use this type.
///
/// ALSA’s plugin for sound servers loads it, too, but only to play or record.
enum PulseLibrary {
    struct Functions: Sendable {
        typealias Object = OpaquePointer?
        typealias Text = UnsafePointer<CChar>?
        typealias Data = UnsafeMutableRawPointer?
        typealias Listed =
            @convention(c) (Object, UnsafePointer<caudio_pulse_device>?, Int32, Data) -> Void
        typealias List = @convention(c) (Object, Listed?, Data) -> Object

        let newLoop: @convention(c) () -> Object
        let interface: @convention(c) (Object) -> Object
        let prepare: @convention(c) (Object, Int32) -> Int32
        let poll, dispatch: @convention(c) (Object) -> Int32
        let freeLoop: @convention(c) (Object) -> Void
        let newContext: @convention(c) (Object, Text) -> Object
        let connect: @convention(c) (Object, Text, Int32, Data) -> Int32
        let state: @convention(c) (Object) -> Int32
        let disconnect, releaseContext, releaseOperation: @convention(c) (Object) -> Void
        let sinks, sources: List
        let property: @convention(c) (Data, Text) -> Text
    }

    private static let library = LazyLibrary { () throws(SharedLibrary.Failure) in
        let library = try SharedLibrary(ofSystem: "libpulse.so.0")
        return Functions(
            newLoop: try library.function("pa_mainloop_new"),
            interface: try library.function("pa_mainloop_get_api"),
            prepare: try library.function("pa_mainloop_prepare"),
            poll: try library.function("pa_mainloop_poll"),
            dispatch: try library.function("pa_mainloop_dispatch"),
            freeLoop: try library.function("pa_mainloop_free"),
            newContext: try library.function("pa_context_new"),
            connect: try library.function("pa_context_connect"),
            state: try library.function("pa_context_get_state"),
            disconnect: try library.function("pa_context_disconnect"),
            releaseContext: try library.function("pa_context_unref"),
            releaseOperation: try library.function("pa_operation_unref"),
            sinks: try library.function("pa_context_get_sink_info_list"),
            sources: try library.function("pa_context_get_source_info_list"),
            property: try library.function("pa_proplist_gets"))
    }

    /// Returns the library’s functions; the first call loads it, in some milliseconds.
    static func functions() throws(SharedLibrary.Failure) -> Functions { try library.functions() }
}
