// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Tells the present address that a change was asked for. It informs only: nothing has changed until the new address
/// confirms, and then `RecoverEmail` brings the way back.
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
                unasked:
                    "If it was you, there is nothing to do. If it wasn’t, change your password now: that ends "
                    + "every session of your account.",
                greetsByName: true
            )
        case .spanish:
            LetterWords(
                subject: "Alguien ha solicitado cambiar el correo electrónico de tu cuenta de %APP_NAME%",
                heading: "Alguien ha solicitado cambiar tu correo electrónico",
                paragraphs: [
                    "Alguien que ha iniciado sesión en tu cuenta de %APP_NAME% ha solicitado reemplazar %EMAIL%.",
                    "La nueva dirección sería %NEW_EMAIL%. Nada cambia hasta que se confirme desde esa dirección.",
                ],
                unasked:
                    "Si fuiste tú, no tienes que hacer nada. Si no fuiste tú, cambia tu contraseña ahora: así se "
                    + "cierran todas las sesiones de tu cuenta.",
                greetsByName: true
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
                unasked:
                    "Se foi você, não precisa fazer nada. Se não foi, altere sua senha agora: isso encerra "
                    + "todas as sessões da sua conta.",
                greetsByName: true
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
                unasked:
                    "Se l’hai chiesto tu, non devi fare nulla. Altrimenti cambia subito la password: così si "
                    + "chiudono tutte le sessioni del tuo account.",
                greetsByName: true
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "有人请求更改您在 %APP_NAME% 的账号邮箱",
                heading: "有人请求更改您的邮箱",
                paragraphs: [
                    "有人登录了您在 %APP_NAME% 的账号，并请求更换邮箱 %EMAIL%。",
                    "新邮箱将是 %NEW_EMAIL%。在通过新邮箱完成验证之前，不会有任何更改。",
                ],
                unasked:
                    "如果这是您本人的请求，则无需任何操作。如果不是，请立即更改密码：这样，您的账号会在所有设备上退出登录。",
                greetsByName: true
            )
        case .turkish:
            LetterWords(
                subject: "Biri %APP_NAME% hesabınızın e-posta adresini değiştirmek istedi",
                heading: "Biri e-posta adresinizi değiştirmek istedi",
                paragraphs: [
                    "%APP_NAME% hesabınızda oturumu açık olan biri %EMAIL% adresini değiştirmek istedi.",
                    "İstenen yeni adres: %NEW_EMAIL%. Bu adresten doğrulanana kadar hiçbir şey değişmez.",
                ],
                unasked:
                    "Bu isteği siz yaptıysanız bir şey yapmanıza gerek yok. Siz yapmadıysanız şifrenizi hemen "
                    + "değiştirin: Böylece hesabınızdaki tüm oturumlar kapanır.",
                greetsByName: true
            )
        }
    }
}
