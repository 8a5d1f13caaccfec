// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA

/// A non-blocking ALSA stream of mono 16-bit samples, which its opener must close; for one thread at a time.
struct PCM {
    enum Direction { case playback, capture }

    private let handle: OpaquePointer
    let device: String

    let shape: BufferConfiguration
    /// The actual frames in a period and in the buffer.
    let periodFrames: Int
    let bufferFrames: Int
    let reserveFrames: Int

    /// Opens and prepares `device` at `rate` hertz, through `plug` if the device lacks this rate.
    init(
        device: String, rate: UInt32, shape: BufferConfiguration, direction: Direction = .playback
    ) throws(ALSAError) {
        do {
            self = try PCM(PCMConnection(device: device, direction: direction), rate: rate, shape: shape)
        } catch  where error.code == EINVAL {
            let plug = try PCMConnection(device: "plug:'\(device)'", direction: direction)
            self = try PCM(plug, rate: rate, shape: shape)
        }
    }

    /// Prepares a connected device at `rate` hertz; closes it if that fails.
    init(_ connection: PCMConnection, rate: UInt32, shape: BufferConfiguration) throws(ALSAError) {
        let opened = connection.handle
        do {
            try Self.setHardware(opened, rate: rate, shape: shape)
            var buffer: snd_pcm_uframes_t = 0
            var period: snd_pcm_uframes_t = 0
            try ALSAError.check(snd_pcm_get_params(opened, &buffer, &period))
            reserveFrames = Int(Double(period) * shape.reserve)
            try Self.setSoftware(
                opened, wakeAt: period + snd_pcm_uframes_t(reserveFrames), buffer: buffer)
            try ALSAError.check(snd_pcm_prepare(opened))
            handle = opened
            device = connection.device
            self.shape = shape
            periodFrames = Int(period)
            bufferFrames = Int(buffer)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Makes ALSA resolve `default` again, which it does only once, by whether a server then responds.
    static func forgetConfiguration() { snd_config_update_free_global() }

    /// Whether the device is a plugin for a sound server.
    ///
    /// Unlike that, a sound card is held by the program that opens it, or runs at once.
    var isAtServer: Bool { snd_pcm_type(handle) == SND_PCM_TYPE_IOPLUG }

    func close() { snd_pcm_close(handle) }

    func start() throws(ALSAError) { try ALSAError.check(snd_pcm_start(handle)) }

    /// Stops at once, discards the remaining samples, and prepares for another start.
    func rearm() throws(ALSAError) {
        try ALSAError.check(snd_pcm_drop(handle))
        try ALSAError.check(snd_pcm_prepare(handle))
    }

    func writableFrames() throws(ALSAError) -> Int { try ALSAError.count(snd_pcm_avail_update(handle)) }

    /// The number of written frames that have not been heard yet.
    func unheardFrames() throws(ALSAError) -> Int {
        let queued = try bufferFrames - writableFrames()
        var delay: snd_pcm_sframes_t = 0
        let isKnown = snd_pcm_delay(handle, &delay) == 0 && delay >= queued
        // In its first tenth of a second, PulseAudio's plugin reports 0.
        return isKnown ? delay : queued + bufferFrames
    }

    /// Writes as many frames as fit, and returns their number.
    func write(_ samples: UnsafeBufferPointer<Int16>) throws(ALSAError) -> Int {
        let result = snd_pcm_writei(handle, samples.baseAddress, snd_pcm_uframes_t(samples.count))
        return result == -Int(EAGAIN) ? 0 : try ALSAError.count(result)
    }

    /// Reads the available frames that fit, and returns their number.
    func read(into samples: UnsafeMutableBufferPointer<Int16>) throws(ALSAError) -> Int {
        let result = snd_pcm_readi(handle, samples.baseAddress, snd_pcm_uframes_t(samples.count))
        return result == -Int(EAGAIN) ? 0 : try ALSAError.count(result)
    }

    func pollDescriptors(_ descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int {
        Int(max(0, snd_pcm_poll_descriptors(handle, descriptors.baseAddress, UInt32(descriptors.count))))
    }

    /// Returns the events of each poll, as in poll(2); otherwise PulseAudio's plugin would report them again.
    func events(in descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int32 {
        var events: UInt16 = 0
        let result = snd_pcm_poll_descriptors_revents(
            handle, descriptors.baseAddress, UInt32(descriptors.count), &events)
        return result < 0 ? POLLERR : Int32(events)
    }

    private static func setHardware(
        _ handle: OpaquePointer, rate: UInt32, shape: BufferConfiguration
    ) throws(ALSAError) {
        var parameters: OpaquePointer?
        try ALSAError.check(snd_pcm_hw_params_malloc(&parameters))
        defer { snd_pcm_hw_params_free(parameters) }
        try ALSAError.check(snd_pcm_hw_params_any(handle, parameters))
        try ALSAError.check(
            snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
        try ALSAError.check(snd_pcm_hw_params_set_format(handle, parameters, SND_PCM_FORMAT_S16))
        try ALSAError.check(snd_pcm_hw_params_set_channels(handle, parameters, 1))
        try ALSAError.check(snd_pcm_hw_params_set_rate(handle, parameters, rate, 0))
        var period = shape.period
        try ALSAError.check(snd_pcm_hw_params_set_period_time_near(handle, parameters, &period, nil))
        var periods = shape.periods
        try ALSAError.check(snd_pcm_hw_params_set_periods_near(handle, parameters, &periods, nil))
        try ALSAError.check(snd_pcm_hw_params(handle, parameters))
    }

    private static func setSoftware(
        _ handle: OpaquePointer, wakeAt available: snd_pcm_uframes_t, buffer: snd_pcm_uframes_t
    ) throws(ALSAError) {
        var parameters: OpaquePointer?
        try ALSAError.check(snd_pcm_sw_params_malloc(&parameters))
        defer { snd_pcm_sw_params_free(parameters) }
        try ALSAError.check(snd_pcm_sw_params_current(handle, parameters))
        // More than the buffer holds, because the engine starts the stream itself, on a press. Do not use the boundary,
        // as is usual: PulseAudio's plugin truncates it to 32 bits, reads 0, and lets the armed stream run at the
        // server, which then drops as much of the tone.
        try ALSAError.check(snd_pcm_sw_params_set_start_threshold(handle, parameters, buffer + 1))
        try ALSAError.check(snd_pcm_sw_params_set_avail_min(handle, parameters, available))
        try ALSAError.check(snd_pcm_sw_params(handle, parameters))
    }
}
