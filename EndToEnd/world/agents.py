# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""User agents of the platforms that a link has to tell apart."""

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)
IPHONE_IN_APP = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Mobile/15E148 Instagram 390.0.0.28.85 (iPhone14,5; iOS 18_5; en_US; en; scale=3.00; 1170x2532; 750000000)"
)
OLD_IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 8_4 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like Gecko) "
    "Version/8.0 Mobile/12H143 Safari/600.1.4"
)
IPAD = (
    "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/12.1.2 Mobile/15E148 Safari/604.1"
)
ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) " "Chrome/140.0.0.0 Mobile Safari/537.36"
)
ANDROID_WEB_VIEW = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A.240905.003; wv) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36"
)
ANDROID_IN_APP = (
    "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0.0.54.88;]"
)
WINDOWS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " "Chrome/140.0.0.0 Safari/537.36"
)
LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
# An iPad since iPadOS 13 says the same.
MAC_SAFARI = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Safari/605.1.15"
)
MAC_CHROME = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36"
)

CRAWLERS = {
    "Facebook": "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Twitter": "Twitterbot/1.0",
    "Slack": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "LinkedIn": "LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)",
    "WhatsApp": "WhatsApp/2.23.20.0",
    "Telegram": "TelegramBot (like TwitterBot)",
    "Discord": "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "iMessage": (
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) "
        "Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0"
    ),
    "Signal": "WhatsApp/2",
    "Mastodon": "Mastodon/4.4.1 (http.rb/5.2.0; +https://mastodon.example/) Bot",
    "Bluesky": "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
    "Reddit": "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
    "Pinterest": "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)",
    "Teams": "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
}

# Search engines, language models and monitors: they go where a desktop goes, and nobody has clicked.
ROBOTS = {
    "Google": (
        "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/140.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
    ),
    "Bing": "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "OpenAI": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "ByteDance": "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 Mobile Safari/537.36 (compatible; Bytespider)",
    "UptimeRobot": "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
}

# What a scanner of mails and a script say.
SCANNER = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36"
)
SCRIPT = "curl/8.5.0"

EVERY = {
    "iPhone": IPHONE,
    "iPhone in an app": IPHONE_IN_APP,
    "old iPhone": OLD_IPHONE,
    "iPad": IPAD,
    "Android": ANDROID,
    "Android web view": ANDROID_WEB_VIEW,
    "Android in an app": ANDROID_IN_APP,
    "Windows": WINDOWS,
    "Linux": LINUX,
    "Mac or iPad": MAC_SAFARI,
    "Mac": MAC_CHROME,
    "crawler": CRAWLERS["Facebook"],
    "scanner": SCANNER,
    "script": SCRIPT,
    "nothing": "",
}
