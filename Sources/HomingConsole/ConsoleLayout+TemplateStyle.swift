// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension ConsoleLayout {
    /// A template beside its preview, and what changed in one.
    static let templateStyle = """
        .looks{display:flex;flex-wrap:wrap;align-items:center;gap:4px;margin:0 0 12px}
        .looks legend{margin:0 0 6px}
        .looks label{position:relative;display:inline-flex;align-items:center;gap:6px;min-height:36px;margin:0;padding:0 8px;\
        border-radius:8px;color:var(--soft);font-weight:400;cursor:pointer}
        .looks label:hover{background:var(--ground);color:var(--ink)}
        .looks label:has(:checked){background:var(--tint);color:var(--accent);font-weight:500}
        .looks label:has(:focus-visible){outline:2px solid var(--accent)}
        .looks input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:pointer}
        .looks button{margin-inline-start:auto}
        .names{margin-bottom:12px}
        details+p{margin-top:20px}
        .letters{display:grid}
        .letters>*{grid-area:1/1}
        .letter{height:min(720px,calc(100vh - 160px));min-height:420px;max-width:100%}
        .letter.coming{visibility:hidden}
        form:has([value=phone]:checked) .letter{width:377px}
        .names dt{display:flex;align-items:center;gap:4px;min-height:28px}
        @media (max-width:820px){.matrix .cards td{display:inline-flex;gap:6px;margin-inline-end:16px;\
        padding-inline-start:0!important}.matrix .cards td::before{position:static;width:auto}}
        .diff ins,.diff del{display:block;margin-inline:-16px;padding-inline:16px;text-decoration:none}
        .diff ins{background:var(--good-tint);color:var(--good)}
        .diff del{background:var(--bad-tint);color:var(--bad)}
        """
}
