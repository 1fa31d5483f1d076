// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension Layout {
    /// The script adds comfort only: every page works without it.
    ///
    /// - The code leaves the address bar at once, so that it is not copied, shared or kept there (OWASP ASVS 5.0,
    ///   14.2.1). The query stays in the state of the history entry, which no other site can read, so that reloading
    ///   the page, as a phone does on the way back from a password manager, still works.
    /// - The password can be shown. While it is typed, the rules about its characters are ticked off, and words tell
    ///   its strength: more for each character that is no neighbour of the one before, less for the address or the
    ///   app's name in it. The server decides.
    /// - An iPad that calls itself a Mac is known by its touch points and stays; a Mac goes on to the desktop's URL.
    /// - A form is sent once, since the answer to a second send would be that the link was used. Its button shows that
    ///   it is under way, until the page is left; a page that is shown again is as it was at first.
    /// - A page that waits asks its own server whether something has happened, and is loaded again when it has.
    /// - When Continue is followed, our own server counts it, for whoever operates the app. The link stays what it is.
    /// - A link is copied when its button is pressed, where the browser lets a page do that, else it is selected for the
    ///   person to copy.
    /// - A password does not outlive the page: browsers keep pages with everything typed, for a quick way back.
    static let script = InlineSource(
        #"""
        (function () {
          "use strict";
          var query = new URLSearchParams(location.search), state = history.state,
            lang = query.get("lang") || document.documentElement.lang;
          if (query.has("oobCode")) {
            // Not the form's URL: an answer to it would take this page's place, and the way back lead past it.
            history.replaceState({ query: location.search }, "", location.pathname + "?lang=" + encodeURIComponent(lang));
          } else if (state && typeof state.query === "string") {
            location.replace(location.pathname + state.query);
          }
          var desktop = document.querySelector("[data-desktop]");
          if (desktop && navigator.maxTouchPoints > 1) {
            desktop.hidden = true;
          } else if (desktop) {
            location.replace(desktop.dataset.desktop);
          }
          var field = document.getElementById("new-password"), reveal = document.getElementById("reveal"),
            strength = document.getElementById("strength");
          var checks = {
            min: function (text, n) { return Array.from(text).length >= n; },
            max: function (text, n) { return Array.from(text).length <= n; },
            lower: function (text) { return /[a-z]/.test(text); },
            upper: function (text) { return /[A-Z]/.test(text); },
            digit: function (text) { return /[0-9]/.test(text); },
            symbol: function (text) { return /[^A-Za-z0-9]/.test(text); },
            guess: function (text) { return rate(text) === "strong"; }
          };
          function show(on) {
            field.type = on ? "text" : "password";
            reveal.setAttribute("aria-pressed", String(on));
          }
          function namesIn(text) {
            var app = document.querySelector(".mark + span");
            var names = document.querySelector("[autocomplete=username]").value.split("@");
            return names.concat(app ? app.textContent : "").reduce(function (sum, name) {
              return sum + (name.length > 2 && text.toLowerCase().includes(name.toLowerCase()) ? name.length : 0);
            }, 0);
          }
          function rate(text) {
            var last = -9, score = -1 - namesIn(text);
            Array.from(text).forEach(function (character) {
              var code = character.codePointAt(0);
              if (Math.abs(code - last) > 1) { score += 1; }
              last = code;
            });
            ["lower", "upper", "digit", "symbol"].forEach(function (kind) { score += checks[kind](text) ? 1 : 0; });
            return score < 11 ? "weak" : score < 16 ? "fair" : "strong";
          }
          function tick() {
            var text = field.value;
            document.querySelectorAll("[data-rule]").forEach(function (rule) {
              var met = text && checks[rule.dataset.rule](text, Number(rule.dataset.count));
              rule.className = met ? "met" : "";
            });
            strength.textContent = text ? strength.dataset[rate(text)] : "";
          }
          if (field) {
            reveal.hidden = strength.hidden = false;
            reveal.addEventListener("click", function () { show(field.type === "password"); field.focus(); });
            field.addEventListener("input", tick);
          }
          var leave = document.querySelector("[data-report]");
          if (leave && navigator.sendBeacon) {
            leave.addEventListener("click", function () {
              navigator.sendBeacon("/__/auth/returned", new URLSearchParams(leave.dataset.report));
            });
          }
          var copy = document.querySelector("[data-copy]");
          function copied() { copy.textContent = copy.dataset.copied; }
          function select() {
            var text = document.createElement("textarea");
            text.value = copy.dataset.copy;
            text.readOnly = true;
            copy.after(text);
            text.select();
            if (document.execCommand("copy")) { text.remove(); copied(); }
          }
          if (copy) {
            copy.hidden = false;
            copy.addEventListener("click", function () {
              if (!navigator.clipboard) { select(); return; }
              navigator.clipboard.writeText(copy.dataset.copy).then(copied, select);
            });
          }
          var waiting = document.querySelector("[data-look]");
          function look() {
            fetch(waiting.dataset.look, { cache: "no-store" }).then(function (answer) {
              if (!answer.ok) { throw answer; }
              return answer.json();
            }).then(function (answer) {
              if (answer.state === "PENDING") { setTimeout(look, 1000); } else { location.replace(waiting.dataset.again); }
            }).catch(function () { setTimeout(look, 15000); });
          }
          if (waiting) { look(); }
          function forget() {
            if (field) { show(false); field.value = ""; tick(); }
          }
          function rest() {
            document.querySelectorAll("[aria-busy]").forEach(function (button) {
              button.textContent = button.dataset.label;
              button.removeAttribute("aria-busy");
              button.disabled = false;
            });
          }
          document.addEventListener("submit", function (event) {
            var button = event.target.querySelector("[data-busy]");
            if (button.disabled) { event.preventDefault(); return; }
            if (field) { show(false); }
            button.dataset.label = button.textContent;
            button.textContent = button.dataset.busy;
            button.setAttribute("aria-busy", "true");
            button.disabled = true;
            setTimeout(rest, 15000);
          });
          window.addEventListener("pagehide", forget);
          window.addEventListener("pageshow", function (event) {
            rest();
            if (event.persisted) { forget(); }
          });
        })();
        """#
    )
}
