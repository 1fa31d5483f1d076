// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore

/// A link's lifetime in words, for a person: `1 hour`, `3 days`.
package enum LifetimeInWords {
    /// Whole units only, rounded down, so that no letter promises more time than there is.
    ///
    /// - Parameter seconds: at least 1; anything lower counts as 1.
    package static func words(seconds: Int, in language: Language) -> String {
        let seconds = max(seconds, 1)
        let minute = 60
        let hour = 60 * minute
        let day = 24 * hour
        return switch seconds {
        case (2 * day)...: Unit.day.words(seconds / day, in: language)
        case _ where seconds.isMultiple(of: day): Unit.day.words(seconds / day, in: language)
        case (2 * hour)...: Unit.hour.words(seconds / hour, in: language)
        case _ where seconds.isMultiple(of: hour): Unit.hour.words(seconds / hour, in: language)
        case minute...: Unit.minute.words(seconds / minute, in: language)
        default: Unit.second.words(seconds, in: language)
        }
    }

    private enum Unit {
        case second, minute, hour, day

        func words(_ count: Int, in language: Language) -> String {
            let (one, many) = names(in: language)
            return "\(count) \(count == 1 ? one : many)"
        }

        /// Singular and plural; Chinese has no plural, and Turkish uses the singular after a number.
        private func names(in language: Language) -> (one: String, many: String) {
            switch (self, language) {
            case (.second, .english): ("second", "seconds")
            case (.minute, .english): ("minute", "minutes")
            case (.hour, .english): ("hour", "hours")
            case (.day, .english): ("day", "days")
            case (.second, .spanish): ("segundo", "segundos")
            case (.minute, .spanish): ("minuto", "minutos")
            case (.hour, .spanish): ("hora", "horas")
            case (.day, .spanish): ("día", "días")
            case (.second, .brazilianPortuguese): ("segundo", "segundos")
            case (.minute, .brazilianPortuguese): ("minuto", "minutos")
            case (.hour, .brazilianPortuguese): ("hora", "horas")
            case (.day, .brazilianPortuguese): ("dia", "dias")
            case (.second, .italian): ("secondo", "secondi")
            case (.minute, .italian): ("minuto", "minuti")
            case (.hour, .italian): ("ora", "ore")
            case (.day, .italian): ("giorno", "giorni")
            case (.second, .simplifiedChinese): ("秒", "秒")
            case (.minute, .simplifiedChinese): ("分钟", "分钟")
            case (.hour, .simplifiedChinese): ("小时", "小时")
            case (.day, .simplifiedChinese): ("天", "天")
            case (.second, .turkish): ("saniye", "saniye")
            case (.minute, .turkish): ("dakika", "dakika")
            case (.hour, .turkish): ("saat", "saat")
            case (.day, .turkish): ("gün", "gün")
            }
        }
    }
}
