// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingTexts

extension Layout {
    /// The colours of the pages and of the console.
    package static let colors = """
        :root{color-scheme:light dark;--ground:#f4f5f9;--glow:#e6eaff;--card:#fff;--ink:#161a24;--soft:#525b6d;\
        --line:#dfe3ec;--field:#868fa3;--accent:#3350d4;--press:#2840b0;--on:#fff;--tint:#eceffd;--good:#0b6b43;\
        --good-tint:#e2f5ec;--warn:#8a4b00;--warn-tint:#fdf1df;--bad:#b3261e;--bad-tint:#fdecea;\
        --shade:0 1px 2px #1a20400d,0 12px 40px -12px #1a204026}
        @media (prefers-color-scheme:dark){:root{--ground:#0e1016;--glow:#1a2042;--card:#171a23;--ink:#eef0f5;\
        --soft:#a8b0c2;--line:#2c3140;--field:#727b90;--accent:#a9b9ff;--press:#c3ceff;--on:#10163a;--tint:#232a4a;\
        --good:#6fdba8;--good-tint:#143025;--warn:#f5bd6c;--warn-tint:#35270f;--bad:#ffb4ab;--bad-tint:#3b1715;\
        --shade:0 1px 2px #0006,0 16px 48px -16px #000a}}
        """

    /// The style for light and dark, phone and desktop. Every pair of text and background has a contrast of 4.5 or more
    /// (WCAG 2.2, 1.4.3), every control is at least 44 pixels high.
    static let style = InlineSource(
        colors + "\n" + Typeface.standardStyle + "\n" + """
            *{box-sizing:border-box}
            html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
            body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;align-items:center;\
            padding:max(40px,9vh) 20px 12px;background:radial-gradient(60rem 26rem at 50% -8rem,var(--glow),transparent) \
            no-repeat var(--ground);color:var(--ink);font:16px/var(--leading) system-ui,-apple-system,"Segoe UI",Roboto,\
            "Helvetica Neue",Arial,var(--letters),sans-serif;overflow-wrap:anywhere}
            header,main,footer{width:100%;max-width:448px}
            header{display:flex;align-items:center;gap:12px;min-height:40px;margin-bottom:20px;font-weight:600;line-height:var(--heading)}
            .mark{flex:none;display:grid;place-items:center;width:40px;height:40px;border-radius:12px;background:var(--accent);\
            color:var(--on);font-size:20px;font-weight:700}
            main{padding:36px;background:var(--card);border:1px solid var(--line);border-radius:20px;box-shadow:var(--shade)}
            footer{max-width:600px;flex:1;display:flex;align-items:flex-end;padding-top:32px}
            h1{margin:0 0 10px;font-size:25px;line-height:var(--heading);letter-spacing:var(--tight);text-wrap:balance}
            p{margin:0 0 12px;color:var(--soft);text-wrap:pretty}
            main>:last-child{margin-bottom:0}
            .address{color:var(--ink);font-weight:600}
            .note{margin:16px 0 0;font-size:14px}
            .center{text-align:center;margin-top:12px}
            svg{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
            .sign{display:grid;place-items:center;width:56px;height:56px;margin-bottom:20px;border-radius:16px;\
            background:var(--tint);color:var(--accent)}
            .sign svg{width:28px;height:28px}
            .good{background:var(--good-tint);color:var(--good)}
            .warning{background:var(--warn-tint);color:var(--warn)}
            .button{display:flex;align-items:center;justify-content:center;width:100%;min-height:50px;margin-top:24px;\
            padding:11px 20px;border:1px solid transparent;border-radius:12px;background:var(--accent);color:var(--on);\
            font:inherit;font-weight:600;line-height:var(--heading);text-align:center;text-wrap:balance;text-decoration:none;cursor:pointer;\
            transition:background-color .12s}
            .button:hover,.button:active{background:var(--press)}
            [aria-busy]{cursor:progress}
            [aria-busy]::before{content:"";flex:none;width:18px;height:18px;margin-inline-end:12px;border:2px solid;\
            border-inline-end-color:transparent;border-radius:50%;animation:turn .8s linear infinite}
            .quiet{border-color:var(--field);background:transparent;color:var(--accent)}
            .quiet:hover,.quiet:active{background:var(--tint);color:var(--accent)}
            a{color:var(--accent);text-underline-offset:3px}
            :focus-visible{outline:3px solid var(--accent);outline-offset:3px}
            label{display:block;margin:22px 0 6px;font-size:14px;font-weight:600}
            .field{position:relative}
            .field input{width:100%;height:52px;padding-block:0;padding-inline:16px 56px;border:1px solid var(--field);border-radius:12px;\
            background:var(--card);color:var(--ink);font:inherit;font-size:17px}
            .field input:last-child{padding-inline-end:16px}
            .field input:focus-visible{outline-offset:0;border-color:var(--accent)}
            .field input[aria-invalid],.field input[aria-invalid]:focus-visible{border-color:var(--bad);\
            outline-color:var(--bad)}
            .field button{position:absolute;inset-block:4px;inset-inline-end:4px;width:44px;height:44px;padding:10px;border:0;\
            border-radius:9px;background:none;color:var(--soft);cursor:pointer}
            .field button:hover{color:var(--ink)}
            .field button[aria-pressed=true] .lid{display:none}
            [hidden]{display:none!important}
            .problem{margin:20px 0 0;padding:12px 16px;border-radius:12px;background:var(--bad-tint);color:var(--bad);\
            font-size:15px;font-weight:500}
            .rules{margin:6px 0 0;padding:0;list-style:none;font-size:14px;color:var(--soft)}
            .rules li{display:flex;gap:10px;padding:2px 0}
            .rules svg{flex:none;width:20px;height:20px;padding:3px;border:1px solid var(--field);border-radius:50%;\
            stroke:var(--card);stroke-width:3.4}
            li:not(.met) .is-met,li:not(.missing) .is-missing{display:none}
            .rules .missing{color:var(--bad)}
            .rules .missing svg{border-color:var(--bad);background:var(--bad)}
            .rules .met{color:var(--good)}
            .rules .met svg{border-color:var(--good);background:var(--good)}
            .hint{margin:14px 0 0;font-size:14px}
            .strength{min-height:22px;margin:8px 0 0;font-size:14px}
            .change{margin:22px 0 0;padding:4px 16px;border:1px solid var(--line);border-radius:12px}
            h2+.change{margin-top:8px}
            h2+.change div{display:flex;align-items:baseline;gap:12px}
            h2+.change dt{flex:0 0 36%}
            .change div{padding:10px 0}
            .change div+div{border-top:1px solid var(--line)}
            dt{font-size:13px;color:var(--soft)}
            dd{margin:0;font-weight:600}
            .digits input{padding:0 16px;font-size:24px;letter-spacing:.16em;font-variant-numeric:tabular-nums}
            .caution{margin:10px 0 0;padding:12px 16px;border-radius:12px;background:var(--warn-tint);color:var(--ink);\
            font-size:14px}
            .number{margin:24px 0 12px;padding:16px;border-radius:16px;background:var(--tint);color:var(--accent);\
            text-align:center}
            .number span,.beside span{display:block}
            .number strong{font-size:56px;line-height:1.2;letter-spacing:.08em}
            .beside{margin-top:16px;font-size:14px}
            .away{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
            nav{width:100%}
            nav ul{display:flex;flex-wrap:wrap;justify-content:center;margin:0;padding:0;list-style:none}
            nav a,nav span{display:flex;align-items:center;min-height:44px;padding:0 11px;border-radius:9px;font-size:14px;\
            color:var(--soft);text-decoration:none}
            nav a:hover{color:var(--ink);text-decoration:underline}
            nav span{color:var(--ink);font-weight:600}
            nav .more svg{flex:none;width:18px;height:18px;margin-inline-end:6px}
            .languages ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(170px,1fr))}
            .languages a{padding:0 8px;font-size:16px;color:var(--accent)}
            [dir=rtl] .way-in{transform:scaleX(-1)}
            .programs{margin-top:24px}
            .programs ul{justify-content:start;gap:0 20px}
            .programs a{padding:0;color:var(--accent);text-decoration:underline}
            .wide header,.wide main,.wide footer{max-width:760px}
            article{padding:22px 0;border-top:1px solid var(--line)}
            article h2{margin:0 0 4px;font-size:17px}
            article pre,code{font:14px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
            article pre{margin:14px 0;padding:16px;border-radius:12px;background:var(--ground);white-space:pre-wrap}
            .way svg{display:block;width:132px;height:70px;margin:14px 0;color:var(--accent)}
            .way ol{margin:0;padding-inline-start:22px;font-size:15px}
            .way li{margin-top:4px}
            .large{min-height:64px;border-radius:16px;font-size:19px}
            blockquote{margin:20px 0 0;padding:14px 18px;border:1px solid var(--line);border-radius:12px}
            blockquote strong,blockquote p{display:block;margin:0}
            blockquote p{font-size:15px}
            h2{margin:32px 0 8px;font-size:18px;line-height:var(--heading)}
            table{width:100%;margin-top:20px;border-collapse:collapse;table-layout:fixed;font-size:15px}
            th,td{padding:14px 0;border-top:1px solid var(--line);text-align:start;vertical-align:top}
            th{padding-inline-end:16px;font-weight:600}
            th:first-child{width:34%}
            thead th{padding-block:0 8px;border:0;font-size:13px;font-weight:400;color:var(--soft)}
            td code,th code{display:block;margin-top:4px;font-size:13px;word-break:break-all;color:var(--soft)}
            p code{color:var(--ink)}
            .warnings{margin:0;padding:0;list-style:none}
            .warnings li{margin-top:10px;padding:12px 16px;border-radius:12px;background:var(--warn-tint);font-size:15px}
            .warnings code{display:block;font-size:13px;font-weight:600;color:var(--warn)}
            .developer{margin-top:24px;padding-top:16px;border-top:1px solid var(--line);font-size:13px;color:var(--soft)}
            .developer b{display:block}
            .facts{margin:0;font-size:14px}
            .open{display:inline-flex;align-items:center;min-height:44px}
            .draw{stroke-dasharray:1;animation:draw .4s ease-out}
            @keyframes draw{from{stroke-dashoffset:1}}
            @keyframes turn{to{transform:rotate(1turn)}}
            @media (max-width:480px){body{padding:24px 16px 8px}main{padding:28px 22px;border-radius:18px}\
            th{padding-inline-end:12px;font-size:14px}th:first-child{width:38%}}
            @media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}\
            [aria-busy]::before{display:none}}
            @media (forced-colors:active){.button,.sign,.problem,.mark,.caution,.number{border:1px solid}}
            """
    )
}
