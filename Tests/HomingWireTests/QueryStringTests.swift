// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct QueryStringTests {
    private func merged(_ parameters: [(name: String, value: String)], _ url: String) -> String {
        QueryString.merging(parameters: parameters, into: url)
    }

    @Test func `pairs keep their order and their first equals sign splits`() throws {
        let query = try #require(QueryString(parsing: "a=1&b=x=y&&c&=d&a=2&%65=%26+"))
        #expect(query.parameters.map(\.name) == ["a", "b", "c", "", "a", "e"])
        #expect(query.parameters.map(\.value) == ["1", "x=y", "", "d", "2", "&+"])
        #expect(query["a"] == "1")
        #expect(query["missing"] == nil)
        #expect(query.repeats("a"))
        #expect(!query.repeats("b"))
    }

    @Test func `in a form a plus is a space, and a percent-encoded one is a plus`() {
        let form = QueryString(parsingForm: "a=x+y&b=1%2B1&+c=")
        #expect(form?.parameters.map(\.name) == ["a", "b", " c"])
        #expect(form?.parameters.map(\.value) == ["x y", "1+1", ""])
    }

    @Test func `a broken escape spoils the query`() {
        #expect(QueryString(parsing: "a=1&b=%zz") == nil)
        #expect(QueryString(parsing: "%=1") == nil)
        #expect(QueryString(parsing: "")?.parameters.isEmpty == true)
    }

    @Test func `of a query that was cut what is whole can be read`() {
        let query = QueryString(readableIn: "mode=signIn&%zz=1&apiKey=k&continueUrl=https%3A%2")
        #expect(query.parameters.map(\.name) == ["mode", "apiKey"])
    }

    @Test(arguments: [
        "a=1&amp;b=2", "a=1&AMP;b=2", "a=1&#38;b=2", "a=1&#038;b=2", "a=1&#x26;b=2", "a=1&#X26;b=2",
        "a=1&%23038;b=2", "a=1&%2338%3Bb=2", "a=1&amp%3Bb=2", "a=1&amp%3bb=2", "a=1&amp;amp;b=2",
        "a=1&amp;%23038%3Bb=2", "amp;a=1&b=2",
    ])
    func `a separator that was written for HTML on the way is one again`(query: String) {
        #expect(QueryString.mended(query[...]) == "a=1&b=2")
        #expect(QueryString.mended(target: "/p?\(query)") == "/p?a=1&b=2")
    }

    @Test(arguments: [
        "", "a=1&b=2", "a=amp;b", "amp=1&b=;", "a&amplitude=1;", "a=%26amp%3Bb=2", "a=1&&b=2&", "a;b=1", "ampx;=1",
        "apn=x&amv=1&afl=y", "#=1&38;", "a=1&amp",
    ])
    func `a query without such a separator is left as it is`(query: String) {
        #expect(QueryString.mended(query[...]) == nil)
        #expect(QueryString.mended(target: "/p?\(query)") == nil)
    }

    @Test(arguments: [
        ("https://a.test", "https://a.test?mode=signIn"),
        ("https://a.test/", "https://a.test/?mode=signIn"),
        ("https://a.test?", "https://a.test?mode=signIn"),
        ("https://a.test/p?x=1", "https://a.test/p?x=1&mode=signIn"),
        ("https://a.test/p?x=1&", "https://a.test/p?x=1&mode=signIn"),
        ("https://a.test/p#f", "https://a.test/p?mode=signIn#f"),
        ("https://a.test/p#f?x=1", "https://a.test/p?mode=signIn#f?x=1"),
        ("http://localhost?a=1&b=5#f=1", "http://localhost?a=1&b=5&mode=signIn#f=1"),
        ("https://a.test/?q=%zz&e=%C3%a9;%2B+&&y", "https://a.test/?q=%zz&e=%C3%a9;%2B+&&y&mode=signIn"),
    ])
    func `a parameter goes behind the query and before the fragment`(url: String, result: String) {
        #expect(merged([("mode", "signIn")], url) == result)
    }

    @Test func `a parameter of the same name is replaced and the rest stays`() {
        #expect(
            merged([("mode", "signIn"), ("oobCode", "c&d")], "https://a.test/?mode=dark&x=1&m%6Fde=2&mode#mode=3")
                == "https://a.test/?x=1&mode=signIn&oobCode=c%26d#mode=3")
        #expect(merged([("mode", "x")], "https://a.test/?mode=y") == "https://a.test/?mode=x")
        #expect(merged([("mode", "x")], "https://a.test/?model=y") == "https://a.test/?model=y&mode=x")
    }
}
