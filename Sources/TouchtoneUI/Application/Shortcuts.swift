// SPDX-License-Identifier: GPL-3.0-or-later

/// The keyboard shortcuts of the app's actions, which `shortcuts.ui` lists for the user.
enum Shortcuts {
    /// The actions and their shortcuts, in GTK's accelerator syntax.
    static let table: KeyValuePairs<String, String> = [
        "win.copy": "<Primary>c", "win.paste": "<Primary>v", "win.redial": "<Primary>r",
        "win.memory": "<Primary>e", "win.memory-store": "<Primary><Shift>e",
        "win.contact": "<Primary>n", "win.message": "<Primary><Shift>m",
        "app.clear": "<Primary>BackSpace", "win.panel": "F9", "win.phone": "<Alt>0",
        "win.messages": "<Alt>1",
        "win.calls": "<Alt>2", "win.contacts": "<Alt>3", "win.menu": "F10", "app.lock": "<Primary>l",
        "app.preferences": "<Primary>comma", "win.show-help-overlay": "<Primary>question", "app.about": "F1",
        "app.quit": "<Primary>q",
        "win.take": "<Primary>Return", "app.hang-up": "<Primary>d", "win.decline": "<Primary><Shift>d",
        "win.mute": "<Primary>m", "win.hold": "<Primary>h", "win.speaker": "<Primary>o",
        "win.keypad": "<Primary>k", "win.flash": "<Primary>s", "win.join": "<Primary>j",
        "win.transfer": "<Primary>t", "win.record": "<Primary><Shift>r",
        "win.calls-now": "<Primary><Shift>h", "win.add-call": "<Primary><Shift>s",
    ]
}
