// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

// The pages of the panel, as the window's actions lead to them.
extension PhoneWindow {
    /// The actions that show a page each.
    static var pageActions: [String] { PanelPageName.allCases.map(\.rawValue) }

    func addPageActions() {
        for page in PanelPageName.allCases {
            ActionMap(window).add(page.rawValue) { [weak self] in
                guard self?.side?.has(page) == true else { return }
                self?.open(page: page)
                self?.side?.focusPage()
            }
        }
    }

    /// Shows a page of the panel, and the panel for it.
    func open(page: PanelPageName) {
        if !folding.isOpen { folding.toggle() }
        side?.show(page)
    }
}
