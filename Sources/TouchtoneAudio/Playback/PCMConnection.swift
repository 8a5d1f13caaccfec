// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA

/// An open ALSA device without parameters, from which a `PCM` is made; its opener closes it or passes it on.
///
/// At a sound server, it is a connection without a stream: nothing plays, no device is held, and neither program wakes
/// up. Connecting takes most of the time that opening a device takes.
struct PCMConnection {
    let handle: OpaquePointer
    let device: String

    init(device: String, direction: PCM.Direction = .playback) throws(ALSAError) {
        var opened: OpaquePointer?
        let stream = direction == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE
        try ALSAError.check(snd_pcm_open(&opened, device, stream, SND_PCM_NONBLOCK))
        guard let opened else { throw ALSAError(code: ENODEV) }
        (handle, self.device) = (opened, device)
    }

    func close() { snd_pcm_close(handle) }
}
