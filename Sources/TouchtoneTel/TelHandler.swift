// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// A program of the desktop that opens `tel:` links.
@MainActor
final class TelHandler {
    /// Why a program did not start, in the system's words.
    struct Refusal: Error {
        let reason: String
    }

    typealias Answer = CheckedContinuation<Result<Void, Refusal>, Never>

    private let info: OpaquePointer

    /// The one that the user prefers, or else another that is installed; nil where there is none but our own.
    static func preferred(otherThan ownEntry: String) -> TelHandler? {
        if let chosen = g_app_info_get_default_for_uri_scheme("tel") {
            let handler = TelHandler(taking: chosen)
            if !handler.isEntry(ownEntry) { return handler }
        }
        let all = g_app_info_get_all_for_type("x-scheme-handler/tel")
        defer { g_list_free(all) }
        // Each is taken over, so that those not chosen are given back.
        let handlers = sequence(first: all, next: { $0?.pointee.next })
            .prefix { $0 != nil }
            .compactMap { $0?.pointee.data }
            .map { TelHandler(taking: OpaquePointer($0)) }
        return handlers.first { !$0.isEntry(ownEntry) }
    }

    private init(taking info: OpaquePointer) {
        self.info = info
    }

    isolated deinit {
        g_object_unref(UnsafeMutableRawPointer(info))
    }

    /// What the program calls itself.
    var name: String { g_app_info_get_display_name(info).map { String(cString: $0) } ?? "" }

    /// Starts the program with a link; `answer` is resumed once it runs, or can't.
    func launch(_ link: String, answer: Answer) {
        link.withCString { text in
            var list = g_list_append(nil, UnsafeMutableRawPointer(mutating: text))
            let context = g_app_launch_context_new()
            g_app_info_launch_uris_async(
                info, list, context, nil,
                { source, result, data in
                    guard let data else { return }
                    let box = Unmanaged<AnswerBox>.fromOpaque(data).takeRetainedValue()
                    var error: UnsafeMutablePointer<GError>?
                    g_app_info_launch_uris_finish(OpaquePointer(source), result, &error)
                    guard let error else { return box.answer.resume(returning: .success(())) }
                    defer { g_error_free(error) }
                    box.answer.resume(
                        returning: .failure(Refusal(reason: String(cString: error.pointee.message))))
                }, Unmanaged.passRetained(AnswerBox(answer)).toOpaque())
            g_object_unref(context)
            g_list_free(list)
            list = nil
        }
    }

    private func isEntry(_ name: String) -> Bool {
        g_app_info_get_id(info).map { String(cString: $0) == name } ?? false
    }
}

/// A continuation with an address, for C to hold until the answer comes.
private final class AnswerBox {
    let answer: TelHandler.Answer

    init(_ answer: TelHandler.Answer) {
        self.answer = answer
    }
}
