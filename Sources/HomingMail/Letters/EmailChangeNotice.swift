// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Tells the present address that a change was asked for. Nothing has changed until the new
/// address confirms, and then `RecoverEmail` brings the way back; until then a reset of the password stops it.
enum EmailChangeNotice {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Someone asked to change your email address for %APP_NAME%",
                heading: "Someone asked to change your email address",
                paragraphs: [
                    "Someone who is signed in to your account at %APP_NAME% asked to replace %EMAIL%.",
                    "The new address would be %NEW_EMAIL%. Nothing changes until it is confirmed from that address.",
                ],
                alarm:
                    "If it wasn’t you, reset your password now: that ends every session of your account and stops the "
                    + "change.",
                button: "Reset my password",
                unasked: "If it was you, there is nothing to do."
            )
        case .spanish:
            LetterWords(
                subject: "Alguien ha solicitado cambiar el correo electrónico de tu cuenta de %APP_NAME%",
                heading: "Alguien ha solicitado cambiar tu correo electrónico",
                paragraphs: [
                    "Alguien que ha iniciado sesión en tu cuenta de %APP_NAME% ha solicitado reemplazar %EMAIL%.",
                    "La nueva dirección sería %NEW_EMAIL%. Nada cambia hasta que se confirme desde esa dirección.",
                ],
                alarm:
                    "Si no fuiste tú, restablece tu contraseña ahora: así se cierran todas las sesiones de tu cuenta y se "
                    + "anula el cambio.",
                button: "Restablecer mi contraseña",
                unasked: "Si fuiste tú, no tienes que hacer nada."
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "Recebemos um pedido para alterar o e-mail da sua conta %APP_NAME%",
                heading: "Recebemos um pedido para alterar seu e-mail",
                paragraphs: [
                    "Alguém que entrou na sua conta %APP_NAME% pediu para substituir %EMAIL%.",
                    "O novo endereço seria %NEW_EMAIL%. Nada será alterado até que haja uma confirmação a partir "
                        + "desse endereço.",
                ],
                alarm:
                    "Se não foi você, redefina sua senha agora: isso encerra todas as sessões da sua conta e cancela a "
                    + "alteração.",
                button: "Redefinir minha senha",
                unasked: "Se foi você, não precisa fazer nada."
            )
        case .italian:
            LetterWords(
                subject: "Qualcuno ha chiesto di cambiare l’indirizzo email del tuo account su %APP_NAME%",
                heading: "Qualcuno ha chiesto di cambiare il tuo indirizzo email",
                paragraphs: [
                    "Qualcuno che ha effettuato l’accesso al tuo account su %APP_NAME% ha chiesto di sostituire "
                        + "%EMAIL%.",
                    "Il nuovo indirizzo sarebbe %NEW_EMAIL%. Non cambia nulla finché non arriva la conferma da "
                        + "quell’indirizzo.",
                ],
                alarm:
                    "Se non l’hai chiesto tu, reimposta subito la password: così si chiudono tutte le sessioni del tuo "
                    + "account e la modifica viene annullata.",
                button: "Reimposta la mia password",
                unasked: "Se l’hai chiesto tu, non devi fare nulla."
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "有人请求更改您在 %APP_NAME% 的账号邮箱",
                heading: "有人请求更改您的邮箱",
                paragraphs: [
                    "有人登录了您在 %APP_NAME% 的账号，并请求更换邮箱 %EMAIL%。",
                    "新邮箱将是 %NEW_EMAIL%。在通过新邮箱完成验证之前，不会有任何更改。",
                ],
                alarm:
                    "如果不是您本人的请求，请立即重置密码：这样，您的账号会在所有设备上退出登录，此更改也会取消。",
                button: "重置我的密码",
                unasked: "如果这是您本人的请求，则无需任何操作。"
            )
        case .turkish:
            LetterWords(
                subject: "Biri %APP_NAME% hesabınızın e-posta adresini değiştirmek istedi",
                heading: "Biri e-posta adresinizi değiştirmek istedi",
                paragraphs: [
                    "%APP_NAME% hesabınızda oturumu açık olan biri %EMAIL% adresini değiştirmek istedi.",
                    "İstenen yeni adres: %NEW_EMAIL%. Bu adresten doğrulanana kadar hiçbir şey değişmez.",
                ],
                alarm:
                    "Bu isteği siz yapmadıysanız şifrenizi hemen sıfırlayın: Böylece hesabınızdaki tüm oturumlar kapanır "
                    + "ve değişiklik iptal edilir.",
                button: "Şifremi sıfırla",
                unasked: "Bu isteği siz yaptıysanız bir şey yapmanıza gerek yok."
            )
        }
    }
}
