// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

enum OptionValue {
    case folder, keys, name, ring, digits, milliseconds, number, hertz, decibels

    func missing(after option: String) -> String {
        switch self {
        case .folder: localized("{option} needs a folder", ["option": option])
        case .keys: localized("{option} needs keys", ["option": option])
        case .name: localized("{option} needs a name", ["option": option])
        case .ring: localized("{option} needs bell, warble or ding", ["option": option])
        case .digits: localized("{option} needs digits", ["option": option])
        case .milliseconds: localized("{option} needs milliseconds", ["option": option])
        case .number: localized("{option} needs a number", ["option": option])
        case .hertz: localized("{option} needs hertz", ["option": option])
        case .decibels: localized("{option} needs decibels", ["option": option])
        }
    }
}
