// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import SIPMessages

/// The audio codecs of liblinphone.
///
/// It has one list for all calls, and copies it each time it describes the media of one. So the list is changed before: to
/// the codecs of a call's account, when that call is dialled, answered or changes its state.
final class Codecs {
    private let core: OpaquePointer
    private var types: [SIPAccount.Codec: OpaquePointer] = [:]
    private var otherTypes: [OpaquePointer] = []
    /// The codecs in the list, in their order.
    private var used: [SIPAccount.Codec] = []
    /// The codecs of all accounts, for calls that come in: liblinphone refuses those without one of them.
    private var resting = SIPAccount.Codec.allCases

    /// Keeps only the codecs of `SIPAccount.Codec`, and the telephone events of keys, in a core.
    init(core: OpaquePointer) {
        self.core = core
        forEach(linphone_core_get_audio_payload_types(core)) { type in
            let name = Texts.safe(linphone_payload_type_get_mime_type(type)).lowercased()
            linphone_payload_type_enable(type, name == "telephone-event" ? 1 : 0)
            let codec = SIPAccount.Codec.allCases.first { $0.rawValue.lowercased() == name }
            // The list's objects do not outlive this turn of liblinphone otherwise.
            linphone_payload_type_ref(type)
            if let codec, linphone_payload_type_get_clock_rate(type) == codec.clockRate {
                types[codec] = type
            } else {
                otherTypes.append(type)
            }
        }
        rest()
    }

    /// Uses the codecs of an account for the next session.
    func use(_ codecs: [SIPAccount.Codec]) {
        guard codecs != used else { return }
        used = codecs
        for (codec, type) in types { linphone_payload_type_enable(type, codecs.contains(codec) ? 1 : 0) }
        var list: UnsafeMutablePointer<bctbx_list_t>?
        // liblinphone loses the types that are not in the list.
        let unused = SIPAccount.Codec.allCases.filter { !codecs.contains($0) }
        for type in (codecs + unused).compactMap({ types[$0] }) + otherTypes {
            list = bctbx_list_append(list, UnsafeMutableRawPointer(type))
        }
        linphone_core_set_audio_payload_types(core, list)
        bctbx_list_free(list)
    }

    /// Uses the codecs of all accounts, while no session is being described.
    func rest() { use(resting) }

    func setResting(_ lists: [[SIPAccount.Codec]]) {
        resting = []
        for codec in lists.joined() where !resting.contains(codec) { resting.append(codec) }
        rest()
    }
}

extension SIPAccount.Codec {
    /// The clock rate of its timestamps, in hertz.
    fileprivate var clockRate: CInt { self == .opus ? 48_000 : 8_000 }
}
