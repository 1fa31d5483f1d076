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
                subject: "Somebody asked to change your %APP_NAME% email address",
                heading: "A change of your email address was asked for",
                paragraphs: [
                    "Somebody who is signed in to your %APP_NAME% account asked to replace %EMAIL%.",
                    "The new address would be %NEW_EMAIL%. Nothing changes until it is confirmed from there.",
                ],
                unasked:
                    "If it was you, there is nothing to do. If it wasn’t, change your password now: that ends "
                    + "every session of your account.",
                greetsByName: true
            )
        case .spanish:
            LetterWords(
                subject: "Alguien pidió cambiar el correo electrónico de tu cuenta de %APP_NAME%",
                heading: "Se pidió cambiar tu correo electrónico",
                paragraphs: [
                    "Alguien con acceso a tu cuenta de %APP_NAME% pidió reemplazar %EMAIL%.",
                    "La nueva dirección sería %NEW_EMAIL%. Nada cambia hasta que se confirme desde allí.",
                ],
                unasked:
                    "Si fuiste tú, no tienes que hacer nada. Si no, cambia tu contraseña ahora: así se cierran "
                    + "todas las sesiones de tu cuenta.",
                greetsByName: true
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "Alguém pediu para trocar o e-mail da sua conta %APP_NAME%",
                heading: "Foi pedida a troca do seu e-mail",
                paragraphs: [
                    "Alguém com acesso à sua conta %APP_NAME% pediu para substituir %EMAIL%.",
                    "O novo endereço seria %NEW_EMAIL%. Nada muda até que a troca seja confirmada por lá.",
                ],
                unasked:
                    "Se foi você, não precisa fazer nada. Se não foi, troque sua senha agora: isso encerra "
                    + "todas as sessões da sua conta.",
                greetsByName: true
            )
        case .italian:
            LetterWords(
                subject: "Qualcuno ha chiesto di cambiare l’indirizzo email del tuo account %APP_NAME%",
                heading: "È stato chiesto di cambiare il tuo indirizzo email",
                paragraphs: [
                    "Qualcuno che ha accesso al tuo account %APP_NAME% ha chiesto di sostituire %EMAIL%.",
                    "Il nuovo indirizzo sarebbe %NEW_EMAIL%. Non cambia nulla finché non viene confermato da lì.",
                ],
                unasked:
                    "Se sei stato tu, non devi fare altro. Altrimenti cambia subito la password: così si "
                    + "chiudono tutte le sessioni del tuo account.",
                greetsByName: true
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "有人申请更改您的 %APP_NAME% 账号邮箱",
                heading: "有人申请更改您的邮箱",
                paragraphs: [
                    "有人登录了您的 %APP_NAME% 账号，并申请更换 %EMAIL%。",
                    "新的邮箱将是 %NEW_EMAIL%。在新邮箱确认之前，不会有任何更改。",
                ],
                unasked:
                    "如果是您本人操作，则无需理会。如果不是，请立即更改密码：这会结束您账号的所有登录会话。",
                greetsByName: true
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% hesabınızın e-posta adresini değiştirme isteği",
                heading: "E-posta adresinizi değiştirme isteği var",
                paragraphs: [
                    "%APP_NAME% hesabınızda oturumu açık olan biri %EMAIL% adresini değiştirmek istedi.",
                    "Yeni adres %NEW_EMAIL% olacak. Oradan onaylanana kadar hiçbir şey değişmez.",
                ],
                unasked:
                    "Bu siz olduysanız bir şey yapmanıza gerek yok. Değilseniz parolanızı hemen değiştirin: "
                    + "böylece hesabınızdaki tüm oturumlar kapanır.",
                greetsByName: true
            )
        }
    }
}
