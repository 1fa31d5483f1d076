// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingTexts

/// The icons, drawn as lines on a grid of 24 by 24; the style sheet gives the lines the colour of the text around them.
enum Icon {
    case key, envelope, swap, restore, door, check, clock, brokenLink, alert, tick, eye, mark, phone, globe

    /// The icon is decoration: a screen reader skips it.
    var html: HTML {
        "<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"\(self == .door ? " class=\"way-in\"" as HTML : "")>\(shape)</svg>"
    }

    private var shape: HTML {
        switch self {
        case .key:
            "<circle cx=\"8\" cy=\"15.5\" r=\"4.5\"/><path d=\"M11.2 12.3 20 3.5M16 7.5l3.2 3.2M12.8 10.7l2.2 2.2\"/>"
        case .envelope: "<rect x=\"3\" y=\"5\" width=\"18\" height=\"14\" rx=\"2.5\"/><path d=\"m4 7.5 8 6 8-6\"/>"
        case .swap: "<path d=\"M4 9h15l-4-4M20 15H5l4 4\"/>"
        case .restore: "<path d=\"M4 5v5h5\"/><path d=\"M4.6 10A8 8 0 1 1 4 13.5\"/><path d=\"M12 8.5V13l3 1.8\"/>"
        case .door: "<path d=\"M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4\"/><path d=\"M4 12h11M11 8l4 4-4 4\"/>"
        case .check: "<path class=\"draw\" pathLength=\"1\" d=\"m5 12.5 4.7 4.7L19.5 7.3\"/>"
        case .clock: "<circle cx=\"12\" cy=\"12\" r=\"8.5\"/><path d=\"M12 7.2V12l3.2 2\"/>"
        case .brokenLink:
            """
            <path d="m9.5 14.5-1.8 1.8a3.7 3.7 0 0 1-5.2-5.2l2.8-2.8M14.5 9.5l1.8-1.8a3.7 3.7 0 0 1 5.2 \
            5.2l-2.8 2.8"/><path d="M9 5V3M5 9H3M15 19v2M19 15h2"/>
            """
        case .alert: "<path d=\"M12 4 2.8 19.5h18.4Z\"/><path d=\"M12 10v4M12 16.9v.1\"/>"
        case .eye:
            """
            <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"/>\
            <circle cx="12" cy="12" r="3"/><path class="lid" d="M4 20 20 4"/>
            """
        case .mark:
            """
            <path class="is-met" d="m6 12.5 4 4 8-9"/><path class="is-missing" d="m7 7 10 10M17 7 7 17"/>
            """
        case .phone:
            """
            <rect x="6.5" y="2.5" width="11" height="19" rx="2.6"/><path d="M12 15.5V8.5M9 11.2l3-3 3 3M12 18.7v.1"/>
            """
        case .globe:
            """
            <circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.5c2.6 2.4 3.8 5.3 3.8 8.5s-1.2 6.1-3.8 8.5c-2.6-2.4\
            -3.8-5.3-3.8-8.5s1.2-6.1 3.8-8.5Z"/>
            """
        case .tick: "<path d=\"m6 12.5 4 4 8-9\"/>"
        }
    }
}
