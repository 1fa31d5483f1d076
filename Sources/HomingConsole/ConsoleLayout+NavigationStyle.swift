// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension ConsoleLayout {
    /// The header and the navigation. On a phone the navigation is a popover, which a button opens without a script; a
    /// browser that knows none shows it above the page.
    static let navigationStyle = """
        header{position:sticky;top:0;z-index:5;grid-column:1/-1;display:flex;align-items:center;gap:8px 16px;\
        min-height:56px;padding:8px 24px;background:var(--card);border-bottom:1px solid var(--line)}
        .home{display:flex;align-items:center;gap:10px;min-height:40px;color:var(--ink);font-weight:600;text-decoration:none;\
        white-space:nowrap}
        .mark{display:grid;place-items:center;width:28px;height:28px;border-radius:8px;background:var(--accent);\
        color:var(--on);font-weight:700}
        .switcher{position:relative;min-width:0}
        .switcher>summary{gap:6px;min-height:36px;max-width:16rem;padding:0 10px;border:1px solid var(--edge);border-radius:8px;\
        color:var(--ink);background:var(--card)}
        .switcher>summary:hover{background:var(--ground);border-color:var(--field)}
        .switcher>summary::before{content:none}
        .switcher>summary bdi{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
        .switcher ul{position:absolute;z-index:6;top:calc(100% + 4px);left:0;width:min(22rem,calc(100vw - 32px));\
        max-height:min(28rem,60vh);overflow-y:auto;margin:0;padding:6px;list-style:none;background:var(--card);\
        border:1px solid var(--edge);border-radius:10px;box-shadow:0 8px 24px #10182826}
        .switcher a{display:flex;flex-wrap:wrap;gap:0 8px;align-items:center;justify-content:space-between;min-height:36px;\
        padding:4px 10px;border-radius:6px;color:var(--ink);text-decoration:none}
        .switcher a:hover{background:var(--ground)}
        .switcher a code{color:var(--soft)}
        .switcher [aria-current]{background:var(--tint);font-weight:600}
        .find{position:relative;flex:1 1 12rem;max-width:26rem;margin:0 auto 0 0}
        .find .icon{position:absolute;top:9px;left:10px;color:var(--soft);pointer-events:none}
        .find input[type=search]{padding-inline-start:36px;background:var(--ground)}
        .person{display:flex;align-items:center;gap:8px 12px;margin:0;white-space:nowrap}
        .person a{display:inline-flex;align-items:center;gap:6px;min-height:36px}
        .menu{display:none}
        nav{display:block;position:sticky;inset:auto;top:56px;align-self:start;width:auto;height:auto;\
        max-height:calc(100vh - 56px);overflow-y:auto;scrollbar-width:thin;margin:0;padding:16px 12px;border:0;color:inherit;background:none}
        nav ul{margin:0 0 12px;padding:0;list-style:none}
        nav li{position:relative}
        nav .of{margin:0 0 12px;padding:0 12px;font-weight:600}
        nav .of code{display:block;font-weight:400;color:var(--soft)}
        nav .group{margin:0 0 4px;padding:0 12px;font-size:13px;color:var(--soft)}
        nav a{display:flex;align-items:center;gap:10px;min-height:32px;padding:0 12px;border-radius:8px;color:var(--ink);\
        text-decoration:none}
        nav a .icon{color:var(--soft)}
        nav a:hover{background:var(--line)}
        nav [aria-current],nav [aria-current] .icon{color:var(--accent)}
        nav [aria-current]{background:var(--tint);font-weight:600}
        nav .found{position:absolute;top:6px;right:8px;min-width:20px;padding:0 6px;border-radius:10px;background:var(--warn-tint);\
        color:var(--warn);font-size:13px;line-height:20px;font-weight:600;text-align:center;pointer-events:none}
        .stats>div:has(a){position:relative}
        .stats>div:has(a):hover{border-color:var(--field)}
        .stats dt a{color:inherit;text-decoration:none}
        .stats dt a::after{content:"";position:absolute;inset:0;border-radius:12px}
        .tabs{position:relative;display:flex;flex-wrap:wrap;gap:0 4px}
        .tabs>input{position:absolute;opacity:0;pointer-events:none}
        .tabs>label{min-height:36px;margin:0 0 12px;padding:7px 12px;border-bottom:2px solid var(--line);color:var(--soft);\
        cursor:pointer}
        .tabs>label:hover{color:var(--ink)}
        .tabs>:checked+label{border-color:var(--accent);color:var(--accent)}
        .tabs>:focus-visible+label{outline:2px solid var(--accent);outline-offset:2px}
        .tabs>div{display:none;order:1;flex:1 1 100%;min-width:0}
        .tabs>:checked+label+div{display:block}
        @media (max-width:1000px){.person bdi{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}}
        @media (max-width:820px){header{position:relative;flex-wrap:wrap;padding:8px 16px}.home{flex:1 1 auto}\
        .switcher,.find{order:1}.switcher{position:static;flex:0 1 auto}.switcher>summary{min-height:44px;max-width:44vw}\
        .switcher ul{top:calc(100% - 4px);left:16px}.find{flex:1 1 8rem;max-width:none}\
        .find input[type=search]{min-height:44px;font-size:16px}.find .icon{top:13px}.person .role,.person .mailbox{display:none}\
        .person a,nav a{min-height:44px}nav .found{top:12px}\
        nav{position:static;max-height:none;border-bottom:1px solid var(--line);background:var(--card)}}
        @supports selector(:popover-open){@media (max-width:820px){.menu{display:inline-flex}nav{display:none}\
        nav:popover-open{display:block;position:fixed;inset:0 auto 0 0;width:min(20rem,86vw);height:100dvh;max-height:none;\
        border-right:1px solid var(--line);border-bottom:0}nav::backdrop{background:#0006}\
        nav .menu{position:absolute;top:8px;right:8px}}}
        @media print{header,nav{display:none}}
        """
}
