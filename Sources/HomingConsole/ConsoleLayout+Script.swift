// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingPages

extension ConsoleLayout {
    /// Comfort only: values are copied with a button, times are told in the reader's zone, a colour is picked, a form is
    /// sent once, and a preview follows what is typed.
    static let script = InlineSource(
        // A fifth of it is blanks at the beginnings of lines.
        source.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n"))

    private static let source =
        #"""
        (function () {
          "use strict";
          function all(selector, each) { document.querySelectorAll(selector).forEach(each); }
          function icon(path) {
            var name = "http://www.w3.org/2000/svg", svg = document.createElementNS(name, "svg");
            svg.setAttribute("class", "icon");
            svg.setAttribute("viewBox", "0 0 20 20");
            svg.setAttribute("aria-hidden", "true");
            svg.appendChild(document.createElementNS(name, "path")).setAttribute("d", path);
            return svg;
          }
          var said = document.createElement("p");
          said.className = "away";
          said.setAttribute("role", "status");
          document.body.append(said);
          function offer(button, text) {
            var word = document.createElement("span");
            word.textContent = "Copy";
            if (button.classList.contains("small")) { word.className = "away"; button.title = "Copy"; }
            button.replaceChildren(icon("M7 7h9.5v9.5H7zM4.5 13h-1V3.5H13v1"), word);
            button.hidden = false;
            button.addEventListener("click", function () {
              navigator.clipboard.writeText(text()).then(function () {
                var sign = button.firstChild;
                said.textContent = word.textContent = "Copied";
                sign.replaceWith(icon("M4 10.5l4 4 8-9"));
                setTimeout(function () {
                  said.textContent = "";
                  word.textContent = "Copy";
                  button.firstChild.replaceWith(sign);
                }, 2000);
              });
            });
          }
          if (navigator.clipboard) {
            all("pre[data-copy]", function (block) {
              var button = document.createElement("button"), frame = document.createElement("div");
              button.type = "button";
              button.className = "copy";
              button.setAttribute("aria-label", "Copy: " + block.dataset.copy);
              frame.className = "lines";
              block.replaceWith(frame);
              frame.append(block, button);
              offer(button, function () { return block.textContent; });
            });
            all("button[data-text]", function (button) {
              offer(button, function () { return button.dataset.text; });
            });
          }

          var parts = [[60, "second"], [60, "minute"], [24, "hour"], [7, "day"]];
          var near = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
          var far = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
          function tell(time) {
            var at = new Date(time.dateTime), left = (at - Date.now()) / 1000;
            if (isNaN(at)) { return; }
            for (var part of parts) {
              if (Math.abs(left) < part[0]) {
                time.textContent = part[1] === "second" && left <= 0 ? "just now" : near.format(Math.trunc(left), part[1]);
                return;
              }
              left /= part[0];
            }
            time.textContent = far.format(at);
          }
          function tellAll() { all("time[datetime*=T]", tell); }
          tellAll();
          setInterval(tellAll, 60000);

          all("input[data-utc]", function (field) {
            var kept = document.createElement("input"), length = field.value.length;
            var at = new Date(field.value + "Z");
            if (length && isNaN(at)) { return; }
            kept.type = "hidden";
            kept.name = field.name;
            kept.value = field.value;
            field.removeAttribute("name");
            field.after(kept);
            if (length) {
              field.value = new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, length);
            }
            document.getElementById(field.id + "-zone").textContent =
              Intl.DateTimeFormat().resolvedOptions().timeZone;
            field.addEventListener("input", function () {
              var typed = new Date(field.value);
              kept.value = isNaN(typed) ? "" : typed.toISOString().slice(0, 19);
            });
          });

          all("input[data-picks]", function (picker) {
            var text = document.getElementById(picker.dataset.picks);
            picker.hidden = false;
            picker.addEventListener("input", function () {
              text.value = picker.value.toUpperCase();
              text.dispatchEvent(new Event("input", { bubbles: true }));
            });
            text.addEventListener("input", function () {
              if (/^#[0-9a-f]{6}$/i.test(text.value)) { picker.value = text.value; }
            });
          });

          all("form[data-frames]", function (form) {
            var timer;
            form.addEventListener("input", function () {
              clearTimeout(timer);
              timer = setTimeout(function () {
                all("#" + form.dataset.frames + " iframe", function (frame) {
                  var url = new URL(frame.src);
                  form.querySelectorAll("input[type=text],input[type=email]").forEach(function (field) {
                    url.searchParams.set(field.name, field.value);
                  });
                  frame.contentWindow.location.replace(url);
                });
              }, 400);
            });
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
          all("form[data-preview]", function (form) {
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
          function closeList(event) {
            all("details.switcher[open]", function (list) {
              if (event.type === "click" ? list.contains(event.target) : event.key !== "Escape") { return; }
              list.open = false;
              if (event.type === "keydown") { list.firstElementChild.focus(); }
            });
          }
          document.addEventListener("click", closeList);
          document.addEventListener("keydown", closeList);
          all("button[data-live]", function (button) {
            var form = button.form, name = button.formTarget || form.target, timer, turn = 0;
            var frame = document.querySelector("iframe[name=" + name + "]");
            // A frame of its own for each look: what was shown stays until it is there, and the way back is not longer.
            function look() {
              var old = frame, fresh = frame = old.cloneNode();
              fresh.name = button.formTarget = name + (turn += 1);
              fresh.removeAttribute("src");
              fresh.classList.add("coming");
              old.after(fresh);
              fresh.addEventListener("load", function () {
                fresh.classList.remove("coming");
                old.remove();
              });
              form.requestSubmit(button);
            }
            button.addEventListener("click", function (event) {
              event.preventDefault();
              look();
            });
            ["input", "change"].forEach(function (event) {
              form.addEventListener(event, function () {
                clearTimeout(timer);
                timer = setTimeout(look, 500);
              });
            });
          });
          window.addEventListener("pageshow", function () {
            all("form[data-sent]", function (form) { delete form.dataset.sent; });
          });
        })();
        """#
}
