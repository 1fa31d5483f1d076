// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingPages
import HomingServer
import HomingTexts

extension ConsoleLayout {
    /// The style for light and dark, phone and desktop. Lengths are multiples of 4 pixels; sizes of text are 13, 14, 16,
    /// 20 and 26. Every pair of text and background has a contrast of 4.5 or more (WCAG 2.2, 1.4.3), every shade of a
    /// chart one of 3 to its card (1.4.11), every control is at least 32 pixels high, and 44 under a finger.
    static let style = InlineSource(
        [
            Layout.colors, shades, page, parts, forms, choices, lists, records, charts, navigationStyle,
            templateStyle, exceptions,
        ].joined(separator: "\n"))

    /// The console's own greys, denser than those of the hosted pages, and the colours of charts.
    private static let shades = """
        :root{--x:24px;--y:20px;--out:-24px;--up:-20px;--ground:#f6f7f9;--line:#e3e6ec;--edge:#cdd3de;--raised:0 1px 2px #1018280d;--solid:#b3261e;--on-solid:#fff;\
        --c1:#3350d4;--c2:#0b8a7d;--c3:#b86e00;--c4:#a53a97;--c5:#7b8598;--c6:#c5362c}
        @media (prefers-color-scheme:dark){:root{--ground:#0d0f14;--card:#161922;--line:#272c39;--edge:#3d4456;\
        --raised:none;--solid:#ffb4ab;--on-solid:#4a120d;\
        --c1:#8da2ff;--c2:#3fc4b4;--c3:#e8a33d;--c4:#e08ad4;--c5:#8a94a8;--c6:#ff8a7e}}
        """

    private static let page = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding:72px 0}
        body{margin:0;min-height:100vh;display:grid;grid-template:auto 1fr/240px minmax(0,1fr);background:var(--ground);\
        color:var(--ink);font:14px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",\
        sans-serif;overflow-wrap:anywhere}
        [hidden]{display:none!important}
        main{padding:32px 32px 64px;max-width:1200px;width:100%;margin:0 auto}
        h1{margin:0;font-size:26px;line-height:32px;letter-spacing:-.015em;font-weight:650;text-wrap:balance}
        h2{margin:32px 0 12px;font-size:16px;line-height:24px;font-weight:600}
        h3{margin:20px 0 8px;font-size:14px;font-weight:600}
        p{margin:0 0 12px;max-width:68ch}
        ul,ol{padding-inline-start:20px}
        .soft,.hint,caption,dt,.lead{color:var(--soft)}
        a{color:var(--accent);text-underline-offset:3px;text-decoration-thickness:1px}
        :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
        .skip{position:absolute;left:-9999px}
        .skip:focus{left:12px;top:12px;z-index:9;padding:8px 16px;background:var(--card);border-radius:8px}
        .away{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .icon{flex:none;width:18px;height:18px;vertical-align:-4px;fill:none;stroke:currentColor;stroke-width:1.5;\
        stroke-linecap:round;stroke-linejoin:round}
        .top{display:flex;flex-wrap:wrap;gap:12px 24px;align-items:flex-start;justify-content:space-between;margin:0 0 24px}
        .top>div:first-child{flex:1 1 20rem}
        .top>.actions{flex:0 1 auto;min-height:36px;gap:8px}
        .lead{margin:4px 0 0;font-size:14px}
        .back{margin:0 0 8px;font-size:13px}
        .back a{display:inline-flex;align-items:center;gap:2px;min-height:24px;color:var(--soft);text-decoration:none}
        .back a:hover{color:var(--accent);text-decoration:underline}
        .back .icon{width:14px;height:14px}
        .columns{display:grid;gap:20px 24px;align-items:start;margin:0 0 20px}
        .columns>:is(div,aside,section){min-width:0;margin:0}
        .columns>*>section:last-child{margin-bottom:0}
        @media (min-width:1100px){.columns{grid-template-columns:minmax(0,1fr) 340px}\
        .columns.wide{grid-template-columns:minmax(0,1fr) 400px}.columns.even{grid-template-columns:repeat(2,minmax(0,1fr))}.columns>aside.stays{position:sticky;top:76px}}
        .grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(18rem,100%),1fr));gap:16px;margin:0 0 20px;\
        padding:0;list-style:none}
        .grid>*{margin:0}
        .tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr));gap:16px 32px}
        """

    /// Cards, tags, buttons, and the other things of which pages are made.
    private static let parts = """
        section,.card{margin:0 0 20px;padding:var(--y) var(--x);background:var(--card);border:1px solid var(--line);\
        border-radius:12px;box-shadow:var(--raised)}
        section>:first-child,.card>:first-child{margin-top:0}
        section>:last-child,.card>:last-child,aside>:last-child{margin-bottom:0}
        section>:is(h2,.head):first-child{margin:var(--up) var(--out) var(--y);padding:14px var(--x);\
        border-bottom:1px solid var(--line)}
        .head{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;margin:0 0 12px}
        .head h2,.head h3{margin:0}
        .card h2:first-child,.card h3:first-child{margin:0 0 4px}
        a.card{display:block;color:inherit;text-decoration:none}
        a.card:hover{border-color:var(--field)}
        .role,.tag{display:inline-block;padding:0 8px;border-radius:6px;background:var(--tint);color:var(--accent);\
        font-size:13px;line-height:22px;font-weight:500;white-space:nowrap}
        .tag.plain{background:var(--ground);color:var(--soft);white-space:normal}
        .tag.good{background:var(--good-tint);color:var(--good)}
        .tag.warn{background:var(--warn-tint);color:var(--warn)}
        .tag.bad{background:var(--bad-tint);color:var(--bad)}
        dd>.tag,a.tag{white-space:normal}
        a.tag{text-decoration:none}
        .fault,.problem{margin:4px 0 0;color:var(--bad);font-weight:500;font-size:13px}
        .problem,.saved,p.note,section.note{margin:0 0 20px;padding:12px 16px;border:1px solid var(--line);\
        border-radius:10px;font-size:14px;max-width:none}
        .problem{border-color:currentColor;background:var(--bad-tint)}
        .saved{background:var(--good-tint);color:var(--good);font-weight:500}
        .note{border-color:var(--warn)!important;background:var(--warn-tint);color:var(--ink)}
        section.note>h2:first-child{margin:0 0 8px;padding:0;border:0}
        .problem a,.saved a{color:inherit}
        .saved .icon{margin-inline-end:8px}
        .empty{padding:24px 16px;text-align:center;color:var(--soft)}
        .empty>.icon{width:40px;height:40px;padding:9px;margin:0 0 12px;border-radius:10px;background:var(--tint);\
        color:var(--accent)}
        .empty p{margin:0 auto 12px;max-width:52ch}
        .empty .title{margin-bottom:2px;font-size:16px;font-weight:600;color:var(--ink)}
        .empty>:last-child{margin-bottom:0}
        button,.button{display:inline-flex;align-items:center;justify-content:center;gap:6px;min-height:36px;\
        padding:5px 14px;border:1px solid transparent;border-radius:8px;background:var(--accent);color:var(--on);font:inherit;\
        line-height:20px;font-weight:500;text-decoration:none;cursor:pointer}
        button:hover,.button:hover{background:var(--press)}
        button>.icon,.button>.icon{width:16px;height:16px;margin-inline-start:-2px}
        .quiet,.copy{border-color:var(--edge);background:var(--card);color:var(--ink);box-shadow:var(--raised)}
        .quiet:hover,.copy:hover{background:var(--ground);border-color:var(--field)}
        .danger{border-color:var(--edge);background:var(--card);color:var(--bad)}
        .danger:hover{background:var(--bad-tint);border-color:var(--bad)}
        .act .danger,.solid{border-color:transparent;background:var(--solid);color:var(--on-solid)}
        .act .danger:hover,.solid:hover{border-color:transparent;background:var(--solid);text-decoration:underline}
        .copy{min-height:32px;padding:2px 10px;font-size:13px}
        .copy.small{min-height:28px;width:28px;margin-block:-4px;padding:0;border-color:transparent;background:none;box-shadow:none;\
        color:var(--soft);vertical-align:middle}
        .copy.small:hover{background:var(--tint);color:var(--accent)}
        .copy.small .icon{margin:0}
        .lines{position:relative;margin:0 0 16px}
        .lines pre{margin:0;padding-inline-end:84px}
        .lines .copy{position:absolute;top:8px;right:8px}
        summary{cursor:pointer}
        details>summary{display:inline-flex;align-items:center;min-height:32px;font-weight:500;color:var(--accent)}
        summary::before{content:"";flex:none;width:6px;height:6px;margin:0 10px 0 4px;border:solid;border-width:0 1.5px 1.5px 0;\
        rotate:-45deg}
        [open]>summary::before{rotate:45deg}
        summary::-webkit-details-marker{display:none}
        summary{list-style:none}
        section>details:only-child>summary{display:flex;font-size:16px;font-weight:600;color:var(--ink);min-height:24px}
        section>details[open]:only-child>summary{margin:0 0 16px}
        details.new{margin:0 0 20px}
        details.new:not([open]){display:inline-block;margin-inline-end:8px}
        details.new>summary::before{content:none}
        details.new[open]>summary{margin:0 0 8px;padding:0;background:none;color:var(--ink);font-size:16px;font-weight:600}
        .columns>*>details.new[open]:last-child{margin-bottom:0}
        details.act{margin:0}
        details.act>summary{min-height:36px;padding:0 12px;border:1px solid var(--edge);border-radius:8px;color:var(--ink);\
        background:var(--card)}
        details.act>summary:hover{border-color:var(--field);background:var(--ground)}
        details.act>summary::before{content:none}
        details.act[open]{padding:12px;border:1px solid var(--edge);border-radius:10px;background:var(--ground)}
        details.act[open]>summary{margin:0 0 8px}
        details.act form{margin:0}
        section>details.act:not(:last-child){margin:0 0 8px}
        details:not(.act)+details.act{margin-top:12px}
        table+:is(p,form,details.act),.steps+:is(p,form),form>details+button{margin-top:16px}
        .actions{display:inline-flex;flex-wrap:wrap;align-items:center;gap:4px 12px}
        .actions>form,.actions>p{margin:0}
        .list>li:has(>.actions [open]){align-items:flex-start}
        .list .actions:has([open]),.actions>[open],.list>li>[open]{flex:1 1 100%}
        code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
        pre{margin:0 0 12px;padding:12px 16px;border:1px solid var(--line);border-radius:8px;background:var(--ground);\
        overflow-x:auto;white-space:pre-wrap}
        dl{margin:0;display:grid;grid-template-columns:minmax(8rem,max-content) minmax(0,1fr);gap:8px 24px}
        dd{margin:0}
        aside dl:not(.stats){grid-template-columns:5.5rem minmax(0,1fr);gap:8px 12px}
        .stats{grid-template-columns:repeat(auto-fit,minmax(min(10rem,100%),1fr));gap:16px;margin:0 0 20px}
        .stats>div{padding:16px 20px;background:var(--card);border:1px solid var(--line);border-radius:12px;\
        box-shadow:var(--raised)}
        .stats dt{font-size:13px}
        .stats .value{font-size:26px;line-height:36px;font-weight:600;letter-spacing:-.015em;font-variant-numeric:tabular-nums}
        .stats .soft{font-size:13px}
        figure{margin:0 0 16px}
        figcaption{margin:0 0 6px;font-weight:600}
        iframe{display:block;width:100%;border:1px solid var(--line);border-radius:10px;background:#fff}
        .look.page{height:520px}
        .look.email{height:640px}
        .logo{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin:0 0 20px}
        .logo p{flex:1 1 12rem;margin:0}
        .qr{width:200px;max-width:100%;margin:0 0 12px;line-height:0}
        """

    private static let forms = """
        label,legend{display:block;margin:0 0 6px;padding:0;font-weight:500}
        fieldset{margin:0 0 20px;padding:0;border:0;min-width:0}
        legend{font-weight:600}
        .part{margin:0 0 8px}.part>.hint{margin:0 0 12px}
        .field{margin:0 0 20px;max-width:34rem}
        .field input,.field select,.field textarea,input[type=search]{width:100%;min-height:36px;padding:6px 12px;\
        border:1px solid var(--field);border-radius:8px;background:var(--card);color:var(--ink);font:inherit}
        .field textarea{min-height:7em;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
        .field :focus-visible{outline-offset:-1px}
        .field [aria-invalid]{border-color:var(--bad);outline-color:var(--bad)}
        .field input[type=file]{padding:4px}
        ::file-selector-button{min-height:26px;margin-inline-end:12px;padding:0 10px;border:1px solid var(--edge);\
        border-radius:6px;background:var(--ground);color:var(--ink);font:inherit;font-size:13px}
        .hint{margin:6px 0 0;font-size:13px}
        .color,.duration,.time{display:flex;gap:8px;align-items:center}
        .field .duration select{flex:none;width:auto}
        .problem p,.problem ul{margin:0}
        .field input[type=color]{flex:none;width:44px;padding:3px;cursor:pointer}
        .check{display:flex;gap:10px;align-items:flex-start;max-width:40rem;margin:0 0 16px}
        .check input{flex:none;width:18px;height:18px;margin:2px 0 0;accent-color:var(--accent)}
        .check label{margin:0}
        .check .hint{margin:2px 0 0}
        .row{display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start}
        .row .field{flex:1 1 12rem;margin:0;max-width:none}
        .row .field:has(>select){max-width:18rem}
        .row .field~button,.row .field~.button{margin-top:28px}
        .row .field~.check{margin:36px 0 0}
        form.row,form>.row{margin:0 0 20px}
        section>form.row:last-child{margin:0}
        form+p,p+form,.scroll+p,dl+p,dl+.row,dl+details,form+figure,form+details,form+section{margin-top:16px}
        .pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(14rem,100%),1fr));gap:0 16px;max-width:34rem}
        .bar{position:sticky;bottom:0;z-index:2;display:flex;flex-wrap:wrap;gap:12px;padding:12px 0;\
        border-top:1px solid var(--line);background:var(--ground)}
        """

    /// Tables, and lists in the place of some.
    private static let lists = """
        .scroll{overflow-x:auto}
        table{width:100%;border-collapse:collapse}
        caption{padding:0 0 8px;text-align:start;font-size:13px}
        th,td{padding:10px 16px 10px 0;border-top:1px solid var(--line);text-align:start;vertical-align:top;\
        overflow-wrap:break-word}
        :is(th,td):last-child{padding-inline-end:0}
        tbody th{min-width:8rem;font-weight:500}
        .cards tbody th{min-width:16rem}.columns .cards tbody th{min-width:6rem}
        td:has(.actions){min-width:6rem}
        td code,td bdi,td pre,tbody th{overflow-wrap:anywhere}
        td:has(code,bdi){min-width:7rem}
        thead th{padding-block:8px;font-size:13px;font-weight:500;color:var(--soft)}
        thead:first-child th,caption:only-child{border-top:0}
        td.number,th.number{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap;min-width:0}
        tbody tr:hover{background:var(--ground)}
        section>:is(.scroll,table,.list){margin-inline:var(--out)}
        section>table{width:calc(100% + 2*var(--x))}
        section>:is(.scroll,table) :is(th,td):first-child,section>:is(.scroll,table) caption,section>.list>li\
        {padding-inline-start:var(--x)}
        section>:is(.scroll,table) :is(th,td):last-child,section>.list>li{padding-inline-end:var(--x)}
        section>:is(.scroll,table):first-child caption{padding-block:14px;font-size:16px;font-weight:600;color:var(--ink)}
        section>:is(.scroll,table,.list):first-child,section>:is(h2,.head):first-child+:is(.scroll,table,.list)\
        {margin-top:var(--up)}
        section>:is(.scroll,table,.list):last-child{margin-bottom:var(--up)}
        section>:is(h2,.head):first-child+:is(.scroll,table) caption{position:absolute;width:1px;height:1px;padding:0;\
        overflow:hidden;clip-path:inset(50%)}
        section>:is(h2,.head):first-child+:is(.scroll,table) thead th{border-top:0}
        .orders{display:flex;flex-wrap:wrap;gap:4px;margin:0 0 12px;padding:0;list-style:none;font-size:13px}
        .orders a{display:inline-flex;align-items:center;min-height:28px;padding:0 10px;border-radius:6px;color:var(--soft);\
        text-decoration:none}
        .orders a:hover{background:var(--ground);color:var(--ink)}
        .orders [aria-current]{background:var(--tint);color:var(--accent);font-weight:500}
        .list{margin:0;padding:0;list-style:none}
        .list>li{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;padding:12px 0;\
        border-top:1px solid var(--line)}
        .list>li:first-child{border-top:0}
        .list>li>:first-child{flex:1 1 12rem;min-width:0}
        .versions>li{align-items:flex-start!important}
        .list :is(h2,h3,p,dl){margin-block:0 4px}
        .steps{margin:0;padding:0;list-style:none}
        .steps li{display:flex;gap:12px;padding:12px 0;border-top:1px solid var(--line)}
        .steps li:first-child{border:0;padding-top:0}
        .steps li:last-child{padding-bottom:0}
        .steps .tag{align-self:flex-start;flex:none;min-width:4.6rem;text-align:center}
        .steps p{margin:2px 0 0}
        .report code{display:block}
        .report th{width:32%}
        """

    private static let charts = """
        .chart{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 8px;margin:0 0 8px;font-size:12px}
        .chart svg{display:block;height:232px;overflow:visible;fill:var(--soft)}
        .chart line{stroke:var(--line)}
        .chart [class^=c]{stroke:var(--card)}
        .chart .hit{fill:transparent}
        .chart g:hover .hit{fill:var(--tint)}
        .chart .value{fill:var(--ink);font-weight:500}
        .c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}.c6{fill:var(--c6)}
        .legend{display:flex;flex-wrap:wrap;gap:4px 16px;margin:0 0 16px;padding:0;list-style:none;font-size:13px;\
        color:var(--soft)}
        .legend svg{vertical-align:-1px;margin-inline-end:4px}
        """

    /// Phones, fingers, and what people have told their systems.
    private static let exceptions = """
        .signed-out{display:block}
        .signed-out main{max-width:480px;margin:8vh auto 0;padding:0 20px}
        @media (max-width:820px){body{display:block}main{padding:20px 16px 48px}h1{font-size:20px;line-height:28px}\
        :root{--x:16px;--y:16px;--out:-16px;--up:-16px}\
        dl:not(.stats){grid-template-columns:minmax(0,1fr);gap:0}dl:not(.stats)>dd{margin:0 0 10px}\
        .stats{grid-template-columns:repeat(2,minmax(0,1fr));gap:8px}.stats>div{padding:12px}.stats .value{font-size:20px}\
        form.row,form>.row{flex-direction:column}:is(form.row,form>.row) .field{flex:none;width:100%;max-width:none!important}\
        .row .field~button,.row .field~.check{margin-top:0}.chart .more{display:none}\
        .cards,.cards caption,.cards tbody,.cards tr,.cards th,.cards td{display:block}\
        .cards thead{position:absolute;left:-9999px}.cards tbody th,.cards tbody td{padding:2px 0!important;border:0}\
        .cards tbody td{position:relative;padding-inline-start:7rem!important;min-height:24px}\
        .cards td.number{text-align:start}\
        .cards tr{padding:12px 0;border-top:1px solid var(--line)}section>.cards tr{padding-inline:var(--x)}\
        .cards td:empty{display:none}\
        .cards td::before{content:attr(data-label);position:absolute;left:0;width:6.5rem;color:var(--soft);font-size:13px}\
        .cards tbody td[data-label=""]{padding:4px 0!important}}
        @media (pointer:coarse),(max-width:820px){button,.button,.field input,.field select,details.act>summary{min-height:44px}\
        .field input,.field select,.field textarea{font-size:16px}.copy,.actions>a,.orders a,summary{min-height:40px}\
        .copy.small{min-height:36px;width:36px}.check input{width:22px;height:22px}}
        @media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
        @media (forced-colors:active){button,.button,.tag,.problem,.saved,section,.stats>div{border:1px solid}\
        .icon{stroke:currentColor}.chart svg{fill:CanvasText}}
        """
}
