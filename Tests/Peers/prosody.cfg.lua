-- SPDX-License-Identifier: GPL-3.0-or-later
-- An XMPP server for the tests: loopback only, in memory. The tests replace the placeholders between @.
local base = "@FOLDER@"
run_as_root = true
pidfile = base .. "/prosody.pid"
data_path = base .. "/data"
certificates = base
interfaces = { "127.0.0.1" }
local_interfaces = { "127.0.0.1" }
c2s_ports = { @PLAIN@ }
-- Only with TLS 1.2 does this server support channel binding.
c2s_direct_tls_ports = { @DIRECT@ }
c2s_direct_tls_ssl = { protocol = "tlsv1_2", key = base .. "/good.key", certificate = base .. "/good.crt" }
s2s_ports = { }
http_ports = { @HTTP@ }
http_interfaces = { "127.0.0.1" }
https_ports = { @HTTPS@ }
https_interfaces = { "127.0.0.1" }
https_ssl = { key = base .. "/good.key", certificate = base .. "/good.crt" }
http_external_url = "https://localhost:@HTTPS@/"
component_ports = { @COMPONENT@ }
component_interfaces = { "127.0.0.1" }
admin_socket = base .. "/prosody.sock"
modules_enabled = {
  "roster", "saslauth", "tls", "disco", "carbons", "mam", "smacks", "ping", "pep", "blocklist", "vcard4",
  "vcard_legacy", "bookmarks", "private", "csi_simple", "time", "version", "offline", "posix",
  "register_ibr", "user_account_management", "invites", "invites_register", "invites_adhoc",
}
modules_disabled = { "s2s" }
-- Everybody can make an account, and every user can invite others to make one.
allow_registration = true
registration_invite_only = false
allow_user_invites = true
c2s_require_encryption = true
-- A higher limit than the default, as on some servers, so that hostile stanzas get through.
c2s_stanza_size_limit = 10 * 1024 * 1024
authentication = "internal_hashed"
password_hash = "SHA-256"
-- Keep archives in memory: reading a whole archive for each page would dominate the outage test.
storage = { archive = "memory" }
storage_archive_item_limit = 100000
default_archive_policy = true
-- Prosody 13 drops what a blocked person sends; older versions refuse it.
bounce_blocked_messages = true
-- By default, Lua collects garbage whenever its memory has grown by 5 %, and archives make each collection long.
gc = { threshold = 400 }
smacks_hibernation_time = 60
ssl = { key = base .. "/good.key", certificate = base .. "/good.crt" }
log = { info = "*console" }
VirtualHost "localhost"
Component "rooms.localhost" "muc"
  modules_enabled = { "muc_mam" }
-- Rooms without an archive: only their history is sent again. They make members of all who ask for it.
Component "plain.localhost" "muc"
  allow_unaffiliated_register = true
Component "files.localhost" "http_file_share"
  http_host = "localhost"
  http_file_share_size_limit = 1024 * 1024
-- Gateways to telephone numbers, which connect as components: Tests/Tools/sms_gateway.py.
Component "sms.localhost"
  component_secret = "secret"
Component "text.localhost"
  component_secret = "secret"
-- A gateway to IRC: biboumi.
Component "irc.localhost"
  component_secret = "secret"
