// SPDX-License-Identifier: GPL-3.0-or-later

/// The file of an autostart entry, which the user and other programs may change or remove.
@MainActor
public final class AutostartFile {
    private let folder, path: String
    private let own: AutostartEntry
    private var monitor: GObjectRef?

    /// Called when the file may have changed.
    var onChange: (@MainActor () -> Void)?

    /// `id` is the name of the file, without `.desktop`; a nil `folder` is the autostart folder of the user.
    public init(id: String, entry: AutostartEntry, folder: String? = nil) {
        let user = g_get_user_config_dir().map { String(cString: $0) } ?? ""
        self.folder = folder ?? "\(user)/autostart"
        path = "\(self.folder)/\(id).desktop"
        own = entry
    }

    func read() async -> AutostartEntry? {
        watch()
        guard let bytes = try? await Files.read(uri, maximum: AutostartEntry.maximum) else { return nil }
        return AutostartEntry(String(decoding: bytes, as: UTF8.self))
    }

    func turnOn() async throws(Files.Trouble) {
        let present = await read()
        // The folder is created only now: GIO would poll for a folder that does not exist.
        g_mkdir_with_parents(folder, 0o700)
        try await write((present ?? own).switched(on: true))
        watch()
    }

    /// Makes the desktop not start the program; an entry of the user's stays, marked as hidden.
    func turnOff() async throws(Files.Trouble) {
        guard let present = await read() else { return }
        guard present.isOwn else { return try await write(present.switched(on: false)) }
        let file = GObjectRef(taking: UnsafeMutableRawPointer(g_file_new_for_path(path)))
        do throws(GLibError) {
            _ = try await GIO.call {
                g_file_delete_async(file.opaque, G_PRIORITY_DEFAULT, nil, $0, $1)
            } finish: {
                g_file_delete_finish(file.opaque, $0, $1)
            }
        } catch {
            throw .failed(error.message)
        }
    }

    private func write(_ entry: AutostartEntry) async throws(Files.Trouble) {
        try await Files.write(Array(entry.text.utf8), to: uri)
    }

    private var uri: String { Files.uri(of: path) ?? "" }

    private func watch() {
        guard monitor == nil, g_file_test(folder, G_FILE_TEST_IS_DIR) != 0 else { return }
        let file = GObjectRef(taking: UnsafeMutableRawPointer(g_file_new_for_path(path)))
        guard let new = g_file_monitor_file(file.opaque, G_FILE_MONITOR_NONE, nil, nil) else { return }
        monitor = GObjectRef(taking: UnsafeMutableRawPointer(new))
        let trampoline:
            @convention(c) (gpointer?, gpointer?, gpointer?, GFileMonitorEvent, gpointer?) -> Void = {
                _, _, _, _, data in
                Box<@MainActor () -> Void>.call(data) { $0() }
            }
        let changed: @MainActor () -> Void = { [weak self] in self?.onChange?() }
        Signal.connect(UnsafeMutableRawPointer(new), "changed", trampoline, changed)
    }
}
