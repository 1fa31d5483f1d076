// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingOperations
import Testing

@Suite struct `The text of homing yaml` {
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func after(_ text: String, _ changes: (key: String, value: String)...) -> String {
        var text = SettingsText(text)
        for change in changes { text.set(change.key, to: change.value) }
        return text.text
    }

    @Test(arguments: SettingExample.all)
    func `every setting takes the place of its comment in the example`(example: SettingExample) throws {
        let before = lines(SettingsDocument.example)
        for value in example.values {
            let text = after(SettingsDocument.example, (example.key, value))
            #expect(
                try GivenSettings(environment: example.companions, yaml: text).load().entry(example.key).shown == value)
            let changed = zip(before, lines(text)).filter { $0 != $1 }
            #expect(lines(text).count == before.count)
            #expect(changed.count == example.key.split(separator: ".").count, "the key, and the sections above it")
            #expect(changed.allSatisfy { $0.0.hasPrefix("#") && !$0.1.hasPrefix("#") })
        }
    }

    @Test func `a value is replaced where it stands, and what is written behind it stays`() {
        let text = "# Mine.\nlisten: 127.0.0.1:1   # mine\n\nsmtp:\n    # Old: relay.\n    url: 'a # b' # ours\n"
        #expect(
            after(text, ("listen", "127.0.0.1:2"), ("smtp.url", "mailbox:"))
                == text.replacing("127.0.0.1:1", with: "127.0.0.1:2").replacing("a # b", with: "mailbox:"))
    }

    @Test func `a list of several lines becomes one value, and what follows stays`() {
        let value = ("trustedProxies", "10.0.0.0/8,::1/128")
        for list in [
            "trustedProxies:\n- 192.0.2.1/32\n- 192.0.2.2/32\n", "trustedProxies:\n  - 192.0.2.1/32\n",
            "trustedProxies: [192.0.2.1/32,\n  192.0.2.2/32]\n",
        ] {
            #expect(
                after(list + "# Next.\nlisten: 127.0.0.1:1\n", value)
                    == "trustedProxies: '10.0.0.0/8,::1/128'\n# Next.\nlisten: 127.0.0.1:1\n".replacing("'", with: ""))
        }
    }

    @Test func `a new key stands in its section, with the indentation that is used there`() {
        #expect(
            after("mail:\n   bounces: b@c.example\nlisten: 127.0.0.1:1\n", ("mail.from", "a@b.example"))
                == "mail:\n   from: a@b.example\n   bounces: b@c.example\nlisten: 127.0.0.1:1\n")
        #expect(
            after("listen: 127.0.0.1:1\n", ("tls.acme.agree", "yes"))
                == "listen: 127.0.0.1:1\ntls:\n  acme:\n    agree: yes\n")
        #expect(after("", ("listen", "[::1]:1")) == "listen: '[::1]:1'\n")
        #expect(after("listen: 127.0.0.1:1", ("keyFile", "/k")) == "listen: 127.0.0.1:1\nkeyFile: /k\n")
    }

    @Test func `a comment that a person has written is never taken away`() {
        #expect(
            after("#listen: 0.0.0.0:443\n#publicURL: https://old.example\n", ("listen", "127.0.0.1:1"))
                == "#listen: 0.0.0.0:443\nlisten: 127.0.0.1:1\n#publicURL: https://old.example\n")
        #expect(
            after("smtp:\n#  url: smtp://old.example\n  # It moved.\n", ("smtp.url", "mailbox:"))
                == "smtp:\n#  url: smtp://old.example\n  url: 'mailbox:'\n  # It moved.\n")
    }

    @Test func `what is said about the items of a list stays`() {
        let list =
            "trustedProxies:\n  # Here.\n  - 10.0.0.0/8  # the office\n  # There.\n  - 192.0.2.0/24\nkeyFile: /k\n"
        #expect(
            after(list, ("trustedProxies", "10.0.0.0/8"))
                == "trustedProxies: 10.0.0.0/8\n  # Here.\n  # the office\n  # There.\nkeyFile: /k\n")
    }

    @Test func `line ends stay what they are`() {
        #expect(
            after("# A.\r\nlisten: 127.0.0.1:1\r\n", ("listen", "127.0.0.1:2"), ("keyFile", "/k"))
                == "# A.\r\nlisten: 127.0.0.1:2\r\nkeyFile: /k\r\n")
    }

    @Test func `any values in any order are read back, and every comment of a person is still there`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(state: seed)
        for _ in 0..<60 {
            var wanted: [String: String] = [:]
            var notes: [String] = []
            var text = Bool.random(using: &random) ? SettingsDocument.example : ""
            for number in 0..<Int.random(in: 1...12, using: &random) {
                guard let example = SettingExample.all.filter(\.companions.isEmpty).randomElement(using: &random) else {
                    continue
                }
                guard let value = example.values.randomElement(using: &random) else { continue }
                text = after(text, (example.key, value))
                wanted[example.key] = value
                notes.append("# Note \(number): what \(example.key): is for")
                var written = lines(text)
                written.insert(notes[notes.count - 1], at: Int.random(in: 0..<written.count, using: &random))
                text = written.joined(separator: "\n")
            }
            let entries = try GivenSettings(yaml: text, isComplete: false).load().entries
            let values = entries.filter { $0.source != .standard }.map { ($0.setting.key, $0.shown) }
            #expect(Dictionary(uniqueKeysWithValues: values) == wanted, "seed \(seed)\n\(text)")
            #expect(notes.allSatisfy(lines(text).contains), "seed \(seed)\n\(text)")
        }
    }
}

/// SplitMix64, for a run that can be had again.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
