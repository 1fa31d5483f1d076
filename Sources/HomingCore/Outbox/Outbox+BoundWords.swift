// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension Outbox.Entry.Bound {
    /// For an operator: `bound request, asked from Chrome on Linux in 192.0.2.0/24, finished on another device`.
    package var words: String {
        let device = (asked?.device).map { device in
            device.browser.map { "\($0.rawValue) on \(device.system.rawValue)" } ?? device.system.rawValue
        }
        let from =
            switch (device, asked?.network) {
            case (let device?, let network?): ", asked from \(device) in \(network)"
            case (let place?, nil), (nil, let place?): ", asked from \(place)"
            case (nil, nil): ""
            }
        return "bound request\(from)\(endedBy.map { ", \($0.words)" } ?? "")"
    }
}

extension ActionCode.EndedBy {
    fileprivate var words: String {
        switch self {
        case .here: "finished where it was asked for"
        case .elsewhere: "finished on another device"
        case .typed: "finished by the typed code"
        case .declined: "declined by its reader"
        case .numbers: "ended by wrong numbers"
        }
    }
}
