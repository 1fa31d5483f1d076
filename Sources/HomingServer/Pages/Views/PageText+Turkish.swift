// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension PageText {
    /// Turkish.
    static let turkish = PageText(
        shared: .turkish,
        reset: .turkish,
        resetRequest: .turkish,
        confirm: .turkish,
        signIn: .turkish,
        done: .turkish,
        dead: .turkish,
        problem: .turkish,
        link: .turkish,
        root: PageText.Message(
            "Bu bir Homing sunucusu",
            "Uygulamaların e-postayla gönderdiği veya paylaştığı bağlantıları açar. Bu sayfada yapmanız gereken bir şey yok."
        )
    )
}

extension PageText.Shared {
    fileprivate static let turkish = Self(
        continueButton: "Devam et",
        leadsTo: "Gideceğiniz site: %HOST%",
        closePage: "Bu sayfayı kapatıp %APP_NAME% hesabınıza dönebilirsiniz.",
        unasked: "Bu isteği siz yapmadınız mı? Bu sayfayı kapatın, hiçbir şey değişmez.",
        theApp: "uygulama",
        languages: "Dil",
        busy: "Bir saniye…",
        error: "Hata: %TITLE%"
    )
}

extension PageText.Reset {
    fileprivate static let turkish = Self(
        title: "Yeni bir şifre belirleyin",
        sentence: "%EMAIL% adresli %APP_NAME% hesabınız için.",
        label: "Yeni şifre",
        show: "Şifreyi göster",
        rules: "Şifrenizde şunlar olmalı:",
        minimumLength: "en az %COUNT% karakter",
        maximumLength: "en fazla %COUNT% karakter",
        lowercase: "bir küçük harf",
        uppercase: "bir büyük harf",
        digit: "bir rakam",
        symbol: "bir simge, örneğin ! veya ?",
        hardToGuess: "tahmini zor bir içerik: yaygın bir şifre, adresiniz veya uygulamanın adı olmamalı",
        satisfied: "tamam",
        missing: "eksik",
        submit: "Şifreyi kaydet",
        rulesProblem: "Bu şifre henüz tüm kurallara uymuyor.",
        tooShortProblem: "Bu şifre çok kısa. Daha uzun bir şifre seçin.",
        tooLongProblem: "Bu şifre çok uzun. Daha kısa bir şifre seçin.",
        commonProblem: "Bu şifre en yaygın şifrelerden biri ve ilk denenenler arasında. Başka bir şifre seçin.",
        addressProblem: "Bu şifre e-posta adresinizle aynı ve kolay tahmin edilir. Başka bir şifre seçin.",
        appNameProblem: "Bu şifre uygulamanın adıyla aynı ve kolay tahmin edilir. Başka bir şifre seçin.",
        strength: PageText.Strength(
            weak: "Şifre gücü: zayıf. Daha uzun bir şifreyi tahmin etmek daha zordur.",
            fair: "Şifre gücü: orta. Birkaç karakter daha onu güçlendirir.",
            strong: "Şifre gücü: yüksek.")
    )
}

extension PageText.ResetRequest {
    fileprivate static let turkish = Self(
        title: "Şifrenizi sıfırlayın",
        sentence:
            "%APP_NAME% hesabınızın e-posta adresini yazın. Yeni şifre belirlemeniz için size bir bağlantı "
            + "göndereceğiz.",
        label: "E-posta adresi",
        submit: "Bağlantıyı gönder",
        problem: "Bu bir e-posta adresine benzemiyor. Kontrol edip yeniden deneyin."
    )
}

extension PageText.Confirm {
    fileprivate static let turkish = Self(
        verify: PageText.Message(
            "E-posta adresinizi doğrulayın",
            "%EMAIL% adresini %APP_NAME% hesabınızda kullanabilmek için bu adresin size ait olduğunu doğrulayın."),
        verifyButton: "Adresi doğrula",
        change: PageText.Message(
            "E-posta adresinizi değiştirin",
            "%APP_NAME% hesabınızın yeni adresini doğrulayın. Bundan sonra bu adresle giriş yapacaksınız."),
        changeButton: "Yeni adresi kullan",
        recover: PageText.Message(
            "Eski e-posta adresinize dönün",
            "%APP_NAME% hesabınızın e-posta adresi değiştirildi. %EMAIL% adresini yeniden kullanabilirsiniz."),
        recoverButton: "Eski adrese dön",
        recoverUnwanted: "Adresi siz mi değiştirdiniz? Bu sayfayı kapatın, her şey olduğu gibi kalır.",
        currentAddress: "Şu anki adres",
        newAddress: "Yeni adres"
    )
}

extension PageText.SignIn {
    fileprivate static let turkish = Self(
        page: PageText.Message(
            "%APP_NAME% hesabınıza giriş yapın",
            "Bir adım kaldı: Girişi tamamlamak için devam edin."),
        button: "Giriş yap",
        openInApp: "Girişi tamamlamak için e-postanızdaki bağlantıyı %APP_NAME% hesabınızı kullandığınız cihazda açın.",
        unasked: "Bu bağlantıyı siz istemediniz mi? Bu sayfayı kapatın. Siz devam etmeden giriş yapılmaz."
    )
}

extension PageText.Done {
    fileprivate static let turkish = Self(
        passwordReset: PageText.Message(
            "Şifreniz değiştirildi",
            "Bundan sonra yeni şifrenizle giriş yapın."),
        emailVerified: PageText.Message(
            "E-posta adresiniz doğrulandı",
            "Teşekkürler. %EMAIL% adresi %APP_NAME% hesabınız için doğrulandı."),
        emailChanged: PageText.Message(
            "E-posta adresiniz değiştirildi",
            "Bundan sonra %APP_NAME% hesabınıza %EMAIL% adresiyle giriş yapın."),
        emailRecovered: PageText.Message(
            "Eski e-posta adresinize döndünüz",
            "%EMAIL% yeniden %APP_NAME% hesabınızın adresi."),
        resetOffer:
            "Adresi siz değiştirmediyseniz biri şifrenizi biliyor olabilir. Güvenliğiniz için yeni bir şifre de "
            + "belirleyin.",
        resetButton: "Sıfırlama bağlantısı gönder",
        resetMailSent: PageText.Message(
            "Gelen kutunuza bakın",
            "Yeni şifre belirlemeniz için size bir bağlantı gönderdik. Birkaç dakika sürebilir; spam "
                + "klasörüne de bakın."),
        resetRequested: PageText.Message(
            "Gelen kutunuza bakın",
            "%EMAIL% adresiyle bir %APP_NAME% hesabı varsa yeni şifre belirlemeniz için bir bağlantı yolda. Birkaç "
                + "dakika sürebilir; spam klasörüne de bakın."),
        newLinkSent: PageText.Message(
            "Gelen kutunuza bakın",
            "Hesabınız için hâlâ gerekiyorsa yeni bir bağlantı yolda. Birkaç dakika sürebilir; spam klasörüne "
                + "de bakın."),
        alreadySent: PageText.Message(
            "Bir bağlantı zaten yolda",
            "Yeniden istemenize gerek yok: Hesabınız için hâlâ gerekiyorsa kısa süre önce gönderildi. "
                + "Birkaç dakika sürebilir; spam klasörüne de bakın.")
    )
}

extension PageText.Dead {
    fileprivate static let turkish = Self(
        expired: PageText.Message(
            "Bu bağlantının süresi doldu",
            "Güvenliğiniz için bağlantılar yalnızca sınırlı bir süre çalışır."),
        used: PageText.Message(
            "Bu bağlantı zaten kullanıldı",
            "Her bağlantı yalnızca bir kez çalışır."),
        replaced: PageText.Message(
            "Daha yeni bir bağlantı var",
            "Bu bağlantıdan sonra size yenisini gönderdik. Yalnızca sonuncusu çalışır: Gelen kutunuzdaki en "
                + "yeni e-postayı açın."),
        malformed: PageText.Message(
            "Bu bağlantı eksik",
            "Bir kısmı kaybolmuş olabilir. E-postayı yeniden açıp düğmeye dokunun veya bağlantının tamamını "
                + "kopyalayın."),
        accountDisabled: PageText.Message(
            "Bu hesap devre dışı",
            "Uygulamanın yöneticileri bu hesabı devre dışı bıraktı. Bunun bir hata olduğunu düşünüyorsanız destek "
                + "ekibiyle iletişime geçin."),
        accountGone: PageText.Message(
            "Bu hesap artık yok",
            "Silinmiş veya e-posta adresi değişmiş olabilir. Giriş yapmak veya yeni bir hesap açmak için "
                + "uygulamaya dönün."),
        addressTaken: PageText.Message(
            "Bu adres zaten kullanımda",
            "Bu e-posta adresi başka bir hesapta kayıtlı. O hesapla giriş yapın veya uygulamada başka bir adres "
                + "seçin."),
        secondFactorNotOffered: PageText.Message(
            "Bu işlem burada geri alınamaz",
            "İki adımlı doğrulama bu bağlantıyla kaldırılamaz. Bunu siz eklemediyseniz şifrenizi değiştirin "
                + "ve uygulamanın destek ekibiyle iletişime geçin."),
        pageExpired: PageText.Message(
            "Bu sayfa çok uzun süre açık kaldı",
            "Hiçbir şey değişmedi. E-postanızdaki bağlantıyı yeniden açıp tekrar deneyin."),
        next: PageText.Next(
            reset: "Yeni bir bağlantı almak için uygulamaya dönüp yeniden şifre sıfırlama isteyin.",
            verify: "Yeni bir bağlantı almak için uygulamaya dönüp yeniden adres doğrulama isteyin.",
            signIn: "Yeni bir bağlantı almak için uygulamaya dönüp yeniden giriş bağlantısı isteyin.",
            change: "Yeni bir bağlantı almak için uygulamaya dönüp adres değişikliğini yeniden başlatın.",
            recover: "Hesabınıza giremiyorsanız uygulamanın destek ekibiyle iletişime geçin.",
            any: "Yeni bir bağlantı almak için uygulamaya dönüp yeniden başlayın."),
        nextAfterUse: PageText.Next(
            reset:
                "Yeni bir şifre belirlediyseniz onunla giriş yapın. Belirlemediyseniz uygulamadan yeni bir "
                + "bağlantı isteyin.",
            verify: "Adresinizi doğruladıysanız yapmanız gereken başka bir şey yok. Uygulamaya dönün.",
            signIn: "Giriş yapmadıysanız uygulamadan yeni bir giriş bağlantısı isteyin.",
            change: "Yeni adresinizi doğruladıysanız onunla giriş yapın.",
            recover:
                "Eski adresinize döndüyseniz onunla giriş yapın. Giremiyorsanız uygulamanın destek ekibiyle "
                + "iletişime geçin.",
            any: "İlk seferinde çalıştıysa yapmanız gereken başka bir şey yok. Uygulamaya dönün."),
        renewOffer: "Aynı adrese yeni bir bağlantı gönderebiliriz.",
        renewButton: "Yeni bağlantı gönder"
    )
}

extension PageText.Problem {
    fileprivate static let turkish = Self(
        tooManyAttempts: PageText.Message(
            "Çok fazla deneme yapıldı",
            "Lütfen biraz bekleyip yeniden deneyin."),
        unknownApp: PageText.Message(
            "Bu uygulamayı tanımıyoruz",
            "Bağlantıdaki uygulama burada tanımlı değil. E-postanızdaki bağlantıyı yeniden açın veya "
                + "uygulamanın destek ekibiyle iletişime geçin."),
        badRequest: PageText.Message(
            "Bir şey eksik",
            "Bu adres eksik. E-postanızdaki bağlantıyı yeniden açın."),
        notFound: PageText.Message(
            "Burada bir şey yok",
            "Böyle bir sayfa yok. E-postanızdaki bağlantıyı yeniden açın veya uygulamaya dönün."),
        serverFault: PageText.Message(
            "Bir sorun oluştu",
            "Sorun sizden kaynaklanmıyor ve hiçbir şey değişmedi. Lütfen birkaç dakika sonra yeniden deneyin.")
    )
}

extension PageText.Link {
    fileprivate static let turkish = Self(
        open: .turkish,
        report: .turkish,
        platform: .turkish,
        outcome: .turkish,
        invalid: PageText.LinkFault(
            documentTitle: "Geçersiz Dynamic Link",
            message: PageText.Message(
                "Bu bağlantı çalışmıyor",
                "Bağlantı eksik veya izin verilmeyen bir yere götürüyor. Gönderen kişiden yeni bir bağlantı isteyin.")),
        notFound: PageText.LinkFault(
            documentTitle: "Dynamic Link bulunamadı",
            message: PageText.Message(
                "Böyle bir bağlantı yok",
                "Yanlış yazılmış veya geri alınmış olabilir. Adresi kontrol edin veya gönderen kişiye sorun.")),
        forDeveloper: "Geliştirici için"
    )
}

extension PageText.Open {
    fileprivate static let turkish = Self(
        title: "%APP_NAME% uygulamasında aç",
        sentence: "Tek dokunuşla %APP_NAME% uygulamasında doğru yere gidin.",
        button: "%APP_NAME% uygulamasını aç",
        appStoreButton: "%APP_NAME% uygulamasını App Store’dan indir",
        browserButton: "Tarayıcıda devam et",
        computerButton: "Bu bilgisayarda devam et",
        appOnly: "Bu bağlantı yalnızca %APP_NAME% uygulamasında açılır. Uygulamanın yüklü olduğu bir cihazda açın."
    )
}

extension PageText.Report {
    fileprivate static let turkish = Self(
        title: "Bu bağlantı ne yapar?",
        sentence: "Şu anki ayarlarla her cihazda olanlar. Bu sayfaya bakmak tıklama olarak sayılmaz.",
        platformColumn: "Nerede",
        outcomeColumn: "Ne olur",
        warnings: "Uyarılar",
        noWarnings: "Uyarı yok."
    )
}

extension PageText.Platform {
    fileprivate static let turkish = Self(
        iPhoneInstalled: "iPhone, uygulama yüklü",
        iPhoneAbsent: "iPhone, uygulama yüklü değil",
        oldIPhone: "iPhone, iOS 9 öncesi",
        iPadInstalled: "iPad, uygulama yüklü",
        iPadAbsent: "iPad, uygulama yüklü değil",
        androidInstalled: "Android, uygulama yüklü",
        androidAbsent: "Android, uygulama yüklü değil",
        androidWebView: "Android, başka bir uygulamanın içinde (web view)",
        desktop: "Bilgisayar",
        crawler: "Önizleme isteyen mesajlaşma uygulaması"
    )
}

extension PageText.Outcome {
    fileprivate static let turkish = Self(
        opensApp: "Uygulamayı açar",
        openPage: "Uygulamayı açan düğmenin bulunduğu bir sayfa gösterir",
        appStore: "App Store’a gider",
        playStore: "Play Store’a gider",
        webFallback: "Uygulaması olmayanlar için hazırlanan web sayfasına gider",
        link: "Web sayfası olarak bağlantının kendisine gider",
        appOnly: "Bağlantının yalnızca uygulamada açıldığını söyleyen bir sayfa gösterir",
        preview: "Önizlemenin başlığını, metnini ve görselini alır",
        customScheme: "Uygulamayı kendi URL şemasıyla açar"
    )
}
