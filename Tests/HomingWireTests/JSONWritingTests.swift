// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct JSONWritingTests {
    private func text(_ json: JSON, pretty: Bool = false) -> String {
        String(decoding: json.write(pretty: pretty), as: UTF8.self)
    }

    @Test func `an error envelope is laid out as production lays it out`() {
        let envelope: JSON = [
            "error": [
                "code": 400, "message": "INVALID_OOB_CODE", "errors": [["reason": "invalid"]], "none": [], "no": [:],
            ]
        ]
        #expect(
            text(envelope, pretty: true) == """
                {
                  "error": {
                    "code": 400,
                    "message": "INVALID_OOB_CODE",
                    "errors": [
                      {
                        "reason": "invalid"
                      }
                    ],
                    "none": [],
                    "no": {}
                  }
                }

                """)
        #expect(text(["a": [1, 2.5, true, .null]]) == #"{"a":[1,2.5,true,null]}"#)
    }

    @Test func `nothing that HTML or a script would take up stays raw`() {
        #expect(text("</script>&\u{2028}\u{2029}") == #""\u003c/script\u003e&\u2028\u2029""#)
        #expect(text("\u{2027}\u{202A}\u{A8}\u{A9}\u{20A8}") == "\"\u{2027}\u{202A}\u{A8}\u{A9}\u{20A8}\"")
        #expect(text("\"\\\u{8}\t\n\u{C}\r\u{0}\u{1F}/") == #""\"\\\b\t\n\f\r\u0000\u001f/""#)
        #expect(text(["<": 1]) == #"{"\u003c":1}"#)
    }

    @Test func `a quote with an accent is escaped as a quote`() {
        let written = JSON.string("\"\u{301}").write(pretty: false)
        #expect(written == Array("\"\\\"\u{301}\"".utf8))
    }

    @Test func `numbers come back as they were`() {
        #expect(text(.int(.min)) == "-9223372036854775808")
        #expect(text(.double(1)) == "1.0")
        #expect(text(.double(1e300)) == "1e+300")
        #expect(text(.double(.infinity)) == "null")
        #expect(text(.double(.nan)) == "null")
    }
}
