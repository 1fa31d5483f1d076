// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
package import HomingTexts
internal import HomingWire

/// How a project looks on pages and in mails, beside its name.
package struct Brand: Sendable, Equatable {
    package var logo: Logo?
    package var color: BrandColor? {
        didSet { shades = color.map { BrandShades($0) } }
    }
    /// What is shown of the colour, computed once for all pages and mails.
    package private(set) var shades: BrandShades?
    /// Where people write who need help.
    package var supportAddress: EmailAddress?
    /// Who writes to them and where that is, in one line.
    package var postalLine: String?

    package init() {}

    package var isEmpty: Bool { self == Brand() }
}

/// What is to change of a brand; a nil property changes nothing, an empty one removes the value.
package struct BrandChange: Sendable {
    package var logo: [UInt8]?
    package var color: String?
    package var supportAddress: String?
    package var postalLine: String?
    package var expected: Expected

    /// What the author of a change saw, as texts, a logo by its digest; nil where the author does not care.
    package struct Expected: Sendable {
        package var logo: String?
        package var color: String?
        package var supportAddress: String?
        package var postalLine: String?

        package init(
            logo: String? = nil, color: String? = nil, supportAddress: String? = nil, postalLine: String? = nil
        ) {
            self.logo = logo
            self.color = color
            self.supportAddress = supportAddress
            self.postalLine = postalLine
        }
    }

    package init(
        logo: [UInt8]? = nil, color: String? = nil, supportAddress: String? = nil, postalLine: String? = nil,
        expected: Expected = Expected()
    ) {
        self.logo = logo
        self.color = color
        self.supportAddress = supportAddress
        self.postalLine = postalLine
        self.expected = expected
    }

    /// - Throws: ``Refusal/changedMeanwhile(_:)`` where the brand is no longer what its author saw.
    func checkExpected(of brand: Brand) throws(Refusal) {
        let properties: [(name: String, seen: String?, current: String?)] = [
            ("the logo", expected.logo, brand.logo?.digest), ("the colour", expected.color, brand.color?.text),
            ("the support address", expected.supportAddress, brand.supportAddress?.text),
            ("the postal line", expected.postalLine, brand.postalLine),
        ]
        for (name, seen, current) in properties {
            guard let seen, !seen.utf8.elementsEqual((current ?? "").utf8) else { continue }
            throw .changedMeanwhile("\(name) is another one than when you began: refresh, then save")
        }
    }

    /// Removes everything.
    package static let reset = BrandChange(logo: [], color: "", supportAddress: "", postalLine: "")

    /// - Throws: the refusal of what cannot be part of a brand.
    package func check() throws(Refusal) { _ = try applied(to: Brand()) }

    /// - Throws: ``Refusal/invalidSetting(_:)`` with what to do.
    package func applied(to brand: Brand) throws(Refusal) -> Brand {
        var brand = brand
        if let logo { brand.logo = logo.isEmpty ? nil : try Logo(checking: logo) }
        if let color, !color.isEmpty {
            guard let parsed = BrandColor(parsing: color) else {
                throw .invalidSetting(
                    "a colour is written as #RRGGBB, such as #0A7D55, and "
                        + "\(Printable.given(color)) is not")
            }
            brand.color = parsed
        } else if color != nil {
            brand.color = nil
        }
        if let supportAddress, !supportAddress.isEmpty {
            guard let address = try? EmailAddress(parsing: supportAddress) else {
                throw .invalidSetting(
                    "an email address looks like help@example.com, and "
                        + "\(Printable.given(supportAddress)) does not")
            }
            brand.supportAddress = address
        } else if supportAddress != nil {
            brand.supportAddress = nil
        }
        if let postalLine, !postalLine.isEmpty {
            let isLine = postalLine.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
            guard isLine, postalLine.utf8.count <= 200 else {
                throw .invalidSetting("a postal line is one line of at most 200 bytes without control characters")
            }
            brand.postalLine = postalLine
        } else if postalLine != nil {
            brand.postalLine = nil
        }
        return brand
    }
}
