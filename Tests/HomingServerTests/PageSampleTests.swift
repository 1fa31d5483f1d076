// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPages
import HomingTesting
import HomingTexts
import Testing

/// One complete page without its icon, so that a diff shows every change of its texts or of its layout.
@Suite struct PageSampleTests {
    @Test func `a verification in Turkish`() throws {
        let samples = ViewsSamples()
        let page = try #require(samples.sample("verify")).view.page(in: samples.frame(.turkish)).utf8Text
        let content = try #require(page.firstMatch(of: /(?s)<h1>.*(?=<\/main>)/)).output
        let expected = """
            <h1>E-posta adresinizi doğrulayın</h1>
            <p><strong class="address">ada@example.com</strong> adresini ada@example.com hesabınızda \
            kullanabilmek için bu adresin size ait olduğunu doğrulayın.</p>
            <form method="post" action="/__/auth/action?ada@example.com"><input type="hidden" name="oobCode" \
            value="ada@example.com"><input type="hidden" name="ada@example.com" value="b"><button type="submit" \
            class="button" data-busy="Bir saniye…">Adresi doğrula</button></form>
            <p class="note">Bu isteği siz yapmadınız mı? Bu sayfayı kapatın, hiçbir şey değişmez.</p>


            """
        #expect(content == expected)
    }
}
