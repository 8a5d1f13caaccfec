// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA

/// An ALSA stream of mono 16-bit samples, for playback or capture, prepared and never blocking.
///
/// A plain value around ALSA's handle: whoever opens it closes it. For one thread at a time.
struct PCM {
    /// Which way the samples go.
    enum Direction { case playback, capture }

    private let handle: OpaquePointer

    /// How the buffer was asked to be cut.
    let shape: BufferShape
    /// The frames in a period and in the buffer, as the device gave them.
    let periodFrames: Int
    let bufferFrames: Int
    /// The frames of the buffer that are left empty.
    let reserveFrames: Int

    /// Opens and prepares `device` at `rate` hertz; a device that has no such rate is opened through `plug`.
    init(
        device: String, rate: UInt32, shape: BufferShape, direction: Direction = .playback
    ) throws(SystemError) {
        do {
            self = try PCM(opening: device, rate: rate, shape: shape, direction)
        } catch  where error.code == EINVAL {
            self = try PCM(opening: "plug:'\(device)'", rate: rate, shape: shape, direction)
        }
    }

    private init(
        opening device: String, rate: UInt32, shape: BufferShape, _ direction: Direction
    ) throws(SystemError) {
        var opened: OpaquePointer?
        let stream = direction == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE
        try SystemError.check(snd_pcm_open(&opened, device, stream, SND_PCM_NONBLOCK))
        guard let opened else { throw SystemError(code: ENODEV) }
        do {
            try Self.setHardware(opened, rate: rate, shape: shape)
            var buffer: snd_pcm_uframes_t = 0
            var period: snd_pcm_uframes_t = 0
            try SystemError.check(snd_pcm_get_params(opened, &buffer, &period))
            reserveFrames = Int(Double(period) * shape.reserve)
            try Self.setSoftware(
                opened, wakeAt: period + snd_pcm_uframes_t(reserveFrames), buffer: buffer)
            try SystemError.check(snd_pcm_prepare(opened))
            handle = opened
            self.shape = shape
            periodFrames = Int(period)
            bufferFrames = Int(buffer)
        } catch {
            snd_pcm_close(opened)
            throw error
        }
    }

    /// Makes ALSA look again for what `default` is: it settles that once, by whether a server answered then.
    static func forgetConfiguration() { snd_config_update_free_global() }

    /// Gives the device back.
    func close() { snd_pcm_close(handle) }

    /// Starts to play what was written, or to hear.
    func start() throws(SystemError) { try SystemError.check(snd_pcm_start(handle)) }

    /// Stops at once, forgets what was not played, and is ready to be filled and started again.
    func rearm() throws(SystemError) {
        try SystemError.check(snd_pcm_drop(handle))
        try SystemError.check(snd_pcm_prepare(handle))
    }

    /// The frames that can be written now.
    func writableFrames() throws(SystemError) -> Int { try SystemError.count(snd_pcm_avail_update(handle)) }

    /// The frames that are written and not heard yet.
    func unheardFrames() throws(SystemError) -> Int {
        let queued = try bufferFrames - writableFrames()
        var delay: snd_pcm_sframes_t = 0
        let isKnown = snd_pcm_delay(handle, &delay) == 0 && delay >= queued
        // In its first tenth of a second PulseAudio's plugin does not know, and says 0.
        return isKnown ? delay : queued + bufferFrames
    }

    /// Writes what there is room for, and says how many frames that was.
    func write(_ samples: UnsafeBufferPointer<Int16>) throws(SystemError) -> Int {
        let result = snd_pcm_writei(handle, samples.baseAddress, snd_pcm_uframes_t(samples.count))
        return result == -Int(EAGAIN) ? 0 : try SystemError.count(result)
    }

    /// Reads what was heard and fits, and says how many frames that was.
    func read(into samples: UnsafeMutableBufferPointer<Int16>) throws(SystemError) -> Int {
        let result = snd_pcm_readi(handle, samples.baseAddress, snd_pcm_uframes_t(samples.count))
        return result == -Int(EAGAIN) ? 0 : try SystemError.count(result)
    }

    /// Fills in what to poll for room to write, and says how many descriptors that is.
    func pollDescriptors(_ descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int {
        Int(max(0, snd_pcm_poll_descriptors(handle, descriptors.baseAddress, UInt32(descriptors.count))))
    }

    /// What the poll found, as poll(2) has it.
    ///
    /// To be asked after every poll: PulseAudio's plugin takes note by it, and would find the same again otherwise.
    func events(in descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int32 {
        var events: UInt16 = 0
        let result = snd_pcm_poll_descriptors_revents(
            handle, descriptors.baseAddress, UInt32(descriptors.count), &events)
        return result < 0 ? POLLERR : Int32(events)
    }

    private static func setHardware(
        _ handle: OpaquePointer, rate: UInt32, shape: BufferShape
    ) throws(SystemError) {
        var parameters: OpaquePointer?
        try SystemError.check(snd_pcm_hw_params_malloc(&parameters))
        defer { snd_pcm_hw_params_free(parameters) }
        try SystemError.check(snd_pcm_hw_params_any(handle, parameters))
        try SystemError.check(
            snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
        try SystemError.check(snd_pcm_hw_params_set_format(handle, parameters, SND_PCM_FORMAT_S16))
        try SystemError.check(snd_pcm_hw_params_set_channels(handle, parameters, 1))
        try SystemError.check(snd_pcm_hw_params_set_rate(handle, parameters, rate, 0))
        var period = shape.period
        try SystemError.check(snd_pcm_hw_params_set_period_time_near(handle, parameters, &period, nil))
        var periods = shape.periods
        try SystemError.check(snd_pcm_hw_params_set_periods_near(handle, parameters, &periods, nil))
        try SystemError.check(snd_pcm_hw_params(handle, parameters))
    }

    private static func setSoftware(
        _ handle: OpaquePointer, wakeAt available: snd_pcm_uframes_t, buffer: snd_pcm_uframes_t
    ) throws(SystemError) {
        var parameters: OpaquePointer?
        try SystemError.check(snd_pcm_sw_params_malloc(&parameters))
        defer { snd_pcm_sw_params_free(parameters) }
        try SystemError.check(snd_pcm_sw_params_current(handle, parameters))
        // More than the buffer holds: the engine starts the stream itself, on the press. Not the boundary, as is usual:
        // PulseAudio's plugin counts it in 32 bits, takes it for 0, and lets the armed stream run on at the server,
        // which then leaves out as much of the tone.
        try SystemError.check(snd_pcm_sw_params_set_start_threshold(handle, parameters, buffer + 1))
        try SystemError.check(snd_pcm_sw_params_set_avail_min(handle, parameters, available))
        try SystemError.check(snd_pcm_sw_params(handle, parameters))
    }
}
