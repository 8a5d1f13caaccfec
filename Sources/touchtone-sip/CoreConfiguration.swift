// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import Glibc
import SIPMessages

/// The creation of a core with the settings that do not depend on accounts.
enum CoreConfiguration {
    static func start(_ configuration: SIPConfiguration) -> OpaquePointer? {
        linphone_core_enable_log_collection(LinphoneLogCollectionDisabled)
        Log.replaceEngineLog()
        LibraryCheck.report()
        let factory = linphone_factory_get()
        // Debian's default for the sounds is wrong.
        linphone_factory_set_sound_resources_dir(factory, "/usr/share/sounds/linphone/")
        let port = configuration.acceptsDirectCalls && isFree(directPort) ? Int(directPort) : -1
        guard let settings = linphone_factory_create_config_from_string(factory, text(port: port)),
            let core = linphone_factory_create_core_with_config_3(factory, settings, nil)
        else { return nil }
        linphone_config_unref(settings)
        linphone_core_set_user_agent(core, configuration.userAgent, nil)
        linphone_core_enable_auto_iterate(core, 0)
        guard linphone_core_start(core) == 0 else { return nil }
        setSecurity(core)
        setMedia(core)
        // Many proxies give such addresses (RFC 5627) but do not route requests in dialogs to them.
        linphone_core_remove_supported_tag(core, "gruu")
        // It is for those that require it.
        linphone_core_remove_supported_tag(core, "100rel")
        linphone_core_enable_auto_send_ringing(core, 0)
        // Without a database, liblinphone crashes at a text message.
        linphone_core_disable_chat(core, LinphoneReasonNotImplemented)
        linphone_core_set_session_expires_enabled(core, 1)
        linphone_core_set_session_expires_value(core, 1_800)
        linphone_core_set_session_expires_min_value(core, 90)
        sipshims_refresh_by_invite(core)
        sipshims_refuse_merged_calls(core)
        linphone_core_set_network_reachable(core, configuration.hasNetwork ? 1 : 0)
        return core
    }

    /// The UDP port at which other phones expect one that has no registrar (RFC 3261, section 19.1.2).
    private static let directPort: UInt16 = 5_060

    /// Returns whether a UDP port can be used: liblinphone would go on without any.
    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET6, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }

    /// The settings that have no function; `port` is the UDP port for SIP, -1 for any.
    ///
    /// No address leads to a file: nothing is stored. Passwords stay in memory as they are, for challenges with another
    /// realm or algorithm than the first.
    ///
    /// The phone rings and plays tones, tells the network's state, and lets calls ring for as long as it wants. A call
    /// without sound goes on: a far end that is muted, or a conference that waits, may send none.
    private static func text(port: Int) -> String {
        """
        [storage]
        uri=null
        call_logs_db_uri=null
        zrtp_secrets_db_uri=null
        [misc]
        max_calls=20
        user_certificates_path=\(PrivateFolder.path ?? "/nonexistent")
        history_max_size=0
        [sip]
        auto_net_state_mon=0
        sip_port=\(port)
        sip_tcp_port=-2
        sip_tls_port=-2
        verify_server_certs=1
        verify_server_cn=1
        reject_duplicated_calls=0
        inc_timeout=600
        100rel_support_level=1
        guess_hostname=0
        store_ha1_passwd=0
        keepalive_period=25000
        unregister_previous_contact=1
        call_logs_use_asserted_id_instead_of_from=0
        auto_answer_replacing_calls=1
        [sound]
        tone_indications=0
        echocancellation=1
        [video]
        enabled=0
        [rtp]
        nortp_timeout=\(Int32.max)
        nortp_onhold_timeout=\(Int32.max)
        audio_rtp_port=-1
        video_rtp_port=-1
        text_rtp_port=-1
        """
    }

    private static func setSecurity(_ core: OpaquePointer) {
        linphone_core_verify_server_certificates(core, 1)
        linphone_core_verify_server_cn(core, 1)
        if let authorities = TrustStore.path { linphone_core_set_root_ca(core, authorities) }
        CertificateChecks.watch()
        linphone_core_set_media_encryption(core, LinphoneMediaEncryptionNone)
        linphone_core_set_media_encryption_mandatory(core, 0)
        linphone_core_set_zrtp_secrets_file(core, nil)
    }

    private static func setMedia(_ core: OpaquePointer) {
        linphone_core_enable_video_capture(core, 0)
        linphone_core_enable_video_display(core, 0)
        linphone_core_enable_echo_cancellation(core, 1)
        linphone_core_set_ring(core, nil)
        linphone_core_set_ringback(core, nil)
        linphone_core_set_native_ringing_enabled(core, 0)
        linphone_core_enable_adaptive_rate_control(core, 1)
        if let files = SoundFiles.fromEnvironment {
            linphone_core_set_use_files(core, 1)
            linphone_core_set_play_file(core, files.played)
            linphone_core_set_record_file(core, files.recorded)
        }
    }
}

/// Calls a closure with each object in a list of liblinphone.
func forEach(_ list: UnsafePointer<bctbx_list_t>?, _ body: (OpaquePointer) -> Void) {
    var element = list
    while let current = element {
        if let data = current.pointee.data { body(OpaquePointer(data)) }
        element = UnsafePointer(current.pointee.next)
    }
}
