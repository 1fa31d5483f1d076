// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingPages
import HomingServer
import HomingTexts

extension ConsoleLayout {
    /// The style for light and dark, phone and desktop: the colours of the hosted pages, denser. Every pair of text and
    /// background has a contrast of 4.5 or more (WCAG 2.2, 1.4.3), every control is at least 40 pixels high.
    static let style = InlineSource(
        Layout.colors + """

            *{box-sizing:border-box}
            html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
            body{margin:0;min-height:100vh;display:grid;grid-template:auto 1fr/232px minmax(0,1fr);background:var(--ground);\
            color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",\
            sans-serif;overflow-wrap:anywhere}
            header{grid-column:1/-1;display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 24px;\
            padding:10px 24px;background:var(--card);border-bottom:1px solid var(--line)}
            .home{display:flex;align-items:center;gap:10px;min-height:40px;color:var(--ink);font-weight:600;\
            text-decoration:none}
            .mark{display:grid;place-items:center;width:30px;height:30px;border-radius:9px;background:var(--accent);\
            color:var(--on);font-weight:700}
            .person{margin:0;font-size:14px}
            .role,.tag{display:inline-block;padding:1px 9px;border-radius:99px;background:var(--tint);color:var(--accent);\
            font-size:13px;font-weight:600;white-space:nowrap}
            .tag.good{background:var(--good-tint);color:var(--good)}
            .tag.warn{background:var(--warn-tint);color:var(--warn)}
            .tag.bad{background:var(--bad-tint);color:var(--bad)}
            nav{padding:18px 12px}
            nav ul{margin:0 0 18px;padding:0;list-style:none}
            nav .of{margin:0 0 8px;padding:0 12px;font-size:14px;font-weight:600}
            nav .of code{display:block;font-weight:400;color:var(--soft)}
            nav a{display:flex;align-items:center;min-height:40px;padding:0 12px;border-radius:9px;color:var(--soft);\
            text-decoration:none}
            nav a:hover{background:var(--tint);color:var(--ink)}
            nav [aria-current]{background:var(--tint);color:var(--accent);font-weight:600}
            main{padding:28px 32px 64px;max-width:1080px;width:100%}
            h1{margin:0 0 18px;font-size:26px;line-height:1.25;letter-spacing:-.012em}
            h2{margin:36px 0 10px;font-size:18px;line-height:1.3}
            h3{margin:20px 0 6px;font-size:15px}
            p{margin:0 0 12px;max-width:70ch}
            .soft,.hint,caption,dt{color:var(--soft)}
            a{color:var(--accent);text-underline-offset:3px}
            :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
            .skip{position:absolute;left:-9999px}
            .skip:focus{left:12px;top:12px;z-index:1;padding:10px 16px;background:var(--card);border-radius:9px}
            section,.card{margin:0 0 20px;padding:20px 24px;background:var(--card);border:1px solid var(--line);\
            border-radius:14px}
            section>:first-child,.card>:first-child{margin-top:0}
            section>:last-child,.card>:last-child{margin-bottom:0}
            label,legend{display:block;margin:0 0 5px;padding:0;font-weight:600;font-size:14px}
            fieldset{margin:0 0 16px;padding:0;border:0;min-width:0}
            .field{margin:0 0 16px;max-width:36rem}
            .field input,.field select,.field textarea,input[type=search]{width:100%;min-height:42px;padding:8px 12px;\
            border:1px solid var(--field);border-radius:9px;background:var(--card);color:var(--ink);font:inherit}
            .field textarea{min-height:7em;font:14px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
            .field [aria-invalid]{border-color:var(--bad);outline-color:var(--bad)}
            .hint{margin:5px 0 0;font-size:13.5px}
            .fault,.problem{margin:5px 0 0;color:var(--bad);font-size:14px;font-weight:500}
            .problem{margin:0 0 18px;padding:12px 16px;border-radius:10px;background:var(--bad-tint)}
            .saved{padding:10px 16px;border-radius:10px;background:var(--good-tint);color:var(--good);font-weight:600}
            .note{padding:12px 16px;border-radius:10px;background:var(--warn-tint);color:var(--ink)}
            .check{display:flex;gap:10px;align-items:flex-start;max-width:44rem;margin:0 0 12px}
            .check input{flex:none;width:20px;height:20px;margin:2px 0 0;accent-color:var(--accent)}
            .check label{margin:0}
            .row{display:flex;flex-wrap:wrap;gap:12px 16px;align-items:flex-start}
            .row .field{flex:1 1 14rem;margin:0}
            .row .field~button{margin-top:27px}
            .row .field~.check{margin:36px 0 0}
            button,.button{display:inline-flex;align-items:center;justify-content:center;min-height:42px;padding:8px 18px;\
            border:1px solid transparent;border-radius:9px;background:var(--accent);color:var(--on);font:inherit;\
            font-weight:600;text-decoration:none;cursor:pointer}
            button:hover,.button:hover{background:var(--press)}
            .quiet,.copy{border-color:var(--field);background:var(--card);color:var(--accent)}
            .quiet:hover,.copy:hover{background:var(--tint)}
            .danger{border-color:var(--bad);background:var(--card);color:var(--bad)}
            .danger:hover{background:var(--bad-tint)}
            summary::before{content:"▸";margin-inline-end:8px}
            [open]>summary::before{content:"▾"}
            details.act{margin:0}
            details.act>summary,details>summary{min-height:40px;display:inline-flex;align-items:center;color:var(--accent);\
            cursor:pointer}
            details.act[open]{padding:4px 0}
            .scroll{overflow-x:auto}
            table{width:100%;border-collapse:collapse;font-size:14.5px}
            caption{padding:0 0 6px;text-align:start;font-size:13.5px}
            th,td{padding:9px 14px 9px 0;border-top:1px solid var(--line);text-align:start;vertical-align:top;\
            overflow-wrap:break-word}
            tbody th{min-width:9rem}
            td code,td bdi,td pre,tbody th{overflow-wrap:anywhere}
            td:has(code,bdi){min-width:7rem}
            td time{display:inline-block;min-width:6rem}
            thead th{border:0;font-size:13px;font-weight:500;color:var(--soft)}
            td.number,th.number{text-align:end;font-variant-numeric:tabular-nums}
            td .act summary{min-height:24px}
            .actions{display:inline-flex;flex-wrap:wrap;align-items:center;gap:4px 14px}
            .actions a,.orders a{display:inline-flex;align-items:center;min-height:34px}
            .actions .copy{margin:0}
            .orders{display:flex;flex-wrap:wrap;gap:0 18px;margin:0 0 8px;padding:0;list-style:none;font-size:14px}
            .tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(19rem,100%),1fr));gap:8px 32px}
            .orders [aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
            a.tag{text-decoration:none;white-space:normal}
            code,pre{font:13.5px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
            pre{margin:0 0 12px;padding:14px 16px;border:1px solid var(--line);border-radius:10px;background:var(--ground);\
            overflow-x:auto;white-space:pre-wrap}
            .copy{min-height:34px;padding:3px 12px;margin:0 0 16px;font-size:13.5px}
            dl{margin:0;display:grid;grid-template-columns:minmax(9rem,max-content) minmax(0,1fr);gap:6px 20px}
            dd{margin:0}
            .steps{margin:0;padding:0;list-style:none}
            .steps li{display:flex;gap:12px;padding:12px 0;border-top:1px solid var(--line)}
            .steps li:first-child{border:0}
            .steps .tag{align-self:flex-start;flex:none;min-width:4.6rem;text-align:center}
            .steps p{margin:2px 0 0}
            form.row,form>.row{margin:0 0 20px}
            form+p,p+form,.scroll+p,dl+p{margin-top:16px}
            form+section{margin-top:20px}
            section>form.row:last-child{margin:0}
            .report code{display:block}
            .report th{width:32%}
            .qr{width:200px;max-width:100%;margin:0 0 12px;line-height:0}
            svg.chart{display:block;width:100%;height:auto;margin:0 0 12px;color:var(--ink)}
            .legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 16px;padding:0;list-style:none;font-size:13.5px}
            .legend svg{vertical-align:-2px}
            iframe{width:100%;border:1px solid var(--line);border-radius:10px;background:#fff}
            figure{margin:0 0 16px}
            figcaption{margin:0 0 6px;font-size:14px;font-weight:600}
            .wide-mail{height:640px}
            .draft{height:320px;background:var(--ground);resize:vertical}
            form+figure{margin-top:20px}
            .phone-mail{width:375px;max-width:100%;height:640px}
            .signed-out{display:block}
            .signed-out main{max-width:480px;margin:8vh auto 0;padding:0 20px}
            @media (max-width:820px){body{display:block}nav{display:flex;gap:4px;padding:8px 12px;overflow-x:auto;scrollbar-width:thin;\
            border-bottom:1px solid var(--line);background:var(--card)}nav ul{display:flex;margin:0;flex:none}\
            nav .of{flex:none;align-self:center;margin:0}nav .of code{display:none}nav a{white-space:nowrap}\
            main{padding:20px 16px 48px}header{padding:8px 16px}section,.card{padding:16px}h1{font-size:23px}\
            dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin:0 0 10px}\
            svg.chart text{font-size:20px}form.row{flex-direction:column}form.row .field{flex:none;width:100%}\
            .row .field~button,.row .field~.check{margin-top:0}\
            .cards,.cards tbody,.cards tr,.cards th,.cards td{display:block}\
            .cards thead{position:absolute;left:-9999px}.cards th,.cards td{padding:3px 0;border:0}\
            .cards tr{padding:12px 0;border-top:1px solid var(--line)}.cards td:empty{display:none}\
            .cards td::before{content:attr(data-label) ": ";color:var(--soft);font-size:13px}}
            @media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
            @media (forced-colors:active){button,.button,.tag,.problem{border:1px solid}}
            """
    )

    /// Comfort only: lines can be copied with a button, and a form is sent once.
    static let script = InlineSource(
        #"""
        (function () {
          "use strict";
          function copy(button, text) {
            navigator.clipboard.writeText(text).then(function () {
              button.textContent = "Copied";
              setTimeout(function () { button.textContent = "Copy"; }, 2000);
            });
          }
          document.querySelectorAll("pre[data-copy]").forEach(function (block) {
            if (!navigator.clipboard) { return; }
            var button = document.createElement("button");
            button.type = "button";
            button.className = "copy";
            button.textContent = "Copy";
            button.setAttribute("aria-label", "Copy: " + block.dataset.copy);
            button.addEventListener("click", function () {
              copy(button, block.textContent);
            });
            block.after(button);
          });
          document.querySelectorAll("button[data-text]").forEach(function (button) {
            if (!navigator.clipboard) { return; }
            button.hidden = false;
            button.addEventListener("click", function () { copy(button, button.dataset.text); });
          });
          var present = document.querySelector("nav [aria-current]");
          if (present) { present.scrollIntoView({ block: "nearest", inline: "center" }); }
          document.addEventListener("submit", function (event) {
            var form = event.target;
            if (form.method !== "post" || (event.submitter && event.submitter.formTarget)) { return; }
            if (form.dataset.sent) { event.preventDefault(); return; }
            form.dataset.sent = "1";
            setTimeout(function () { delete form.dataset.sent; }, 12000);
          });
          document.querySelectorAll("form[data-preview]").forEach(function (form) {
            var timer, last = 0;
            function look() {
              var fields = new URLSearchParams(new FormData(form)), turn = last += 1;
              fields.set("do", "preview");
              fetch(form.action, { method: "POST", body: fields }).then(function (answer) {
                return answer.text();
              }).then(function (text) {
                var old = document.getElementById(form.dataset.preview);
                var fresh = new DOMParser().parseFromString(text, "text/html").getElementById(form.dataset.preview);
                if (turn === last && old && fresh) { old.replaceChildren.apply(old, fresh.childNodes); }
              }).catch(function () {});
            }
            ["input", "change"].forEach(function (event) {
              form.addEventListener(event, function () {
                clearTimeout(timer);
                timer = setTimeout(look, 400);
              });
            });
          });
          window.addEventListener("pageshow", function () {
            document.querySelectorAll("form[data-sent]").forEach(function (form) { delete form.dataset.sent; });
          });
        })();
        """#
    )
}
