# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The pictures of README and the documents: stills of what a person saw, and a moving picture of a way there and back."""

import base64
import html
import io

from PIL import Image

from .console import PICTURES

#: The screen of the phone, in CSS pixels.
PHONE = (390, 646)
#: A sheet of the film.
SHEET = (800, 560)


def look(page, size, sharp=2, mobile=False):
    """Gives the window another size, `sharp` pixels for each of CSS, and nothing that moves by itself."""
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": size[0], "height": size[1], "deviceScaleFactor": sharp, "mobile": mobile},
    )
    page.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    media = {"prefers-color-scheme": "light", "prefers-reduced-motion": "reduce"}
    features = [{"name": name, "value": value} for name, value in media.items()]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def shown(page):
    """What the window shows."""
    return Image.open(io.BytesIO(page.get_screenshot_as_png())).convert("RGB")


def keep(page, name, size=(960, 720), sharp=1.25):
    """Keeps what a window of this size shows as a still."""
    look(page, size, sharp)
    store([shown(page)], name, quality=80)


def store(pictures, name, **more):
    PICTURES.mkdir(parents=True, exist_ok=True)
    first, *others = pictures
    if others:
        more |= {"save_all": True, "append_images": others, "loop": 0}
    first.save(PICTURES / f"{name}.webp", **more)


class Film:
    """A way on a phone, in numbered steps, each with one frame or more."""

    def __init__(self, page, steps):
        self.page, self.steps, self.frames = page, steps, []

    def take(self, step, seconds):
        """One frame: the screen as it is now, for so many seconds."""
        shot = base64.b64encode(self.page.get_screenshot_as_png()).decode()
        self.frames.append((step, seconds, shot, self.page.current_url))

    @property
    def seconds(self):
        return sum(seconds for _, seconds, _, _ in self.frames)

    def store(self, name):
        """Sets each frame beside the list of the steps, and keeps them as one moving picture."""
        look(self.page, SHEET, 1.5)
        self.page.get("about:blank")
        pictures = []
        for step, _, shot, url in self.frames:
            self.page.execute_script("document.documentElement.innerHTML = arguments[0]", self.sheet(step, shot, url))
            self.page.execute_async_script("document.querySelector('img').decode().then(arguments[0])")
            pictures.append(shown(self.page))
        store(pictures, name, duration=[int(seconds * 1000) for _, seconds, _, _ in self.frames], quality=72)

    def sheet(self, step, shot, url):
        items = "".join(
            f'<li class="{"now" if number == step else "done" if number < step else ""}"><b>{number}</b>'
            f"<div><h2>{html.escape(title)}</h2><p>{html.escape(words)}</p></div></li>"
            for number, (title, words) in enumerate(self.steps, 1)
        )
        bar = html.escape("/" + url.split("/", 3)[3])
        return f"""<head><style>{STYLE}</style></head><body>
            <div class="phone"><p>{bar}</p><img src="data:image/png;base64,{shot}" alt=""></div><ol>{items}</ol></body>"""


STYLE = """
* { box-sizing: border-box; margin: 0 }
body { width: 800px; height: 560px; display: flex; align-items: center; gap: 44px; padding: 0 40px; background: #e9edf6;
  color: #1b2233; font: 16px/1.4 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; overflow: hidden }
.phone { flex: none; width: 310px; height: 528px; padding: 9px; border-radius: 30px; background: #161b26;
  box-shadow: 0 12px 30px #1b223340 }
.phone p { height: 26px; padding: 0 10px; border-radius: 20px 20px 0 0; background: #fff; color: #4b5468; font-size: 10px;
  line-height: 26px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; border-bottom: 1px solid #dfe3ec }
.phone img { display: block; width: 292px; height: 484px; object-fit: cover; object-position: top; border-radius: 0 0 20px 20px }
ol { list-style: none; padding: 0; display: grid; gap: 26px; flex: 1 }
li { display: flex; gap: 14px; opacity: .42 }
li.now { opacity: 1 }
li.done { opacity: .7 }
b { flex: none; width: 32px; height: 32px; border-radius: 50%; background: #c5cee2; text-align: center; line-height: 32px }
li.now b, li.done b { background: #3350d4; color: #fff }
h2 { font-size: 19px; line-height: 32px }
p { font-size: 15px }
"""


COLOURS = {"1": "#ffffff", "2": "#98a3b8", "31": "#ff8d8d", "32": "#8fdc9b", "33": "#f2cf6b"}


def terminal(page, command, output):
    """Shows a command and its coloured output, as a terminal does."""
    plain, *painted = output.split("\x1b[")
    lines = html.escape(plain)
    for part in painted:
        code, _, text = part.partition("m")
        colour = COLOURS.get(code, "inherit")
        lines += f'<span style="color:{colour}">{html.escape(text)}</span>'
    page.get("about:blank")
    page.execute_script("document.documentElement.innerHTML = arguments[0]", f"""
        <body style="margin: 0; padding: 24px 28px; background: #161b26; color: #d9dfeb">
        <pre style="margin: 0; white-space: pre-wrap; font: 12.5px/1.8 'DejaVu Sans Mono', monospace"
        >$ <b>{html.escape(command)}</b>\n\n{lines}</pre></body>""")
