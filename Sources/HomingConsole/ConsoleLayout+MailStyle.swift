// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension ConsoleLayout {
    /// Fields that only some values of a choice need are there with those alone, without a script: see
    /// `ConsoleField.shownFor`. A browser that does not know `:has()` shows them all.
    static let choices =
        (AccountCreatePage.Way.allCases.map(\.rawValue) + MailTransportForm.kinds).map { value in
            "form:has([value=\"\(value)\"]:checked) [data-for]:not([data-for~=\"\(value)\"])"
        }.joined(separator: ",") + "{display:none}"

    /// DNS records, whose values are longer than their names.
    static let records = """
        .dns .cards tbody th{min-width:7rem}
        @media (min-width:821px){.dns td:nth-child(2){width:26%}.dns td:nth-child(3){width:46%}}
        .dns>.actions{margin-top:16px}
        .copied{display:flex;gap:4px;align-items:flex-start}
        .copied>div{min-width:0}
        """
}
