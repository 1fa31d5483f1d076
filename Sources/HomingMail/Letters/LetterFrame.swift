// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore

/// The words that every letter shares, in one language.
package struct LetterFrame: Sendable, Equatable {
    package let greeting: String
    package let greetingByName: String
    /// In a notice.
    package let time: String
    /// In a notice, where the request told.
    package let device: String
    package let expiry: String
    package let linkAsText: String
    package let signature: String

    package static func words(in language: Language) -> LetterFrame {
        switch language {
        case .english:
            LetterFrame(
                greeting: "Hello,",
                greetingByName: "Hello %DISPLAY_NAME%,",
                time: "When: %TIME%",
                device: "Device: %DEVICE%",
                expiry: "The link works once and expires in %LIFETIME%.",
                linkAsText: "If the button doesn’t work, copy this link into your browser:",
                signature: "The team at %APP_NAME%"
            )
        case .spanish:
            LetterFrame(
                greeting: "Hola:",
                greetingByName: "Hola, %DISPLAY_NAME%:",
                time: "Fecha y hora: %TIME%",
                device: "Dispositivo: %DEVICE%",
                expiry: "El enlace funciona una sola vez y caduca en %LIFETIME%.",
                linkAsText: "Si el botón no funciona, copia este enlace en tu navegador:",
                signature: "El equipo de %APP_NAME%"
            )
        case .brazilianPortuguese:
            LetterFrame(
                greeting: "Olá!",
                greetingByName: "Olá, %DISPLAY_NAME%!",
                time: "Data e hora: %TIME%",
                device: "Dispositivo: %DEVICE%",
                expiry: "O link funciona uma única vez e expira em %LIFETIME%.",
                linkAsText: "Se o botão não funcionar, copie este link e cole no seu navegador:",
                signature: "Equipe %APP_NAME%"
            )
        case .italian:
            LetterFrame(
                greeting: "Ciao,",
                greetingByName: "Ciao %DISPLAY_NAME%,",
                time: "Data e ora: %TIME%",
                device: "Dispositivo: %DEVICE%",
                expiry: "Il link funziona una sola volta e scade tra %LIFETIME%.",
                linkAsText: "Se il pulsante non funziona, copia questo link nel tuo browser:",
                signature: "Il team di %APP_NAME%"
            )
        case .simplifiedChinese:
            LetterFrame(
                greeting: "您好：",
                greetingByName: "%DISPLAY_NAME%，您好：",
                time: "时间：%TIME%",
                device: "设备：%DEVICE%",
                expiry: "此链接只能使用一次，有效期为 %LIFETIME%。",
                linkAsText: "如果无法点击按钮，请将以下链接复制到浏览器中：",
                signature: "%APP_NAME% 团队"
            )
        case .turkish:
            LetterFrame(
                greeting: "Merhaba,",
                greetingByName: "Merhaba %DISPLAY_NAME%,",
                time: "Tarih ve saat: %TIME%",
                device: "Cihaz: %DEVICE%",
                expiry: "Bu bağlantı yalnızca bir kez kullanılabilir ve %LIFETIME% sonra geçerliliğini yitirir.",
                linkAsText: "Düğme çalışmıyorsa şu bağlantıyı tarayıcınıza kopyalayın:",
                signature: "%APP_NAME% ekibi"
            )
        }
    }
}
