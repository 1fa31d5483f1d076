// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

/// A setting as a member of the admin config document or of a tenant's.
struct ConfigMember {
    let setting: ProjectSetting
    var path: [String] { setting.path }

    init(_ setting: ProjectSetting) { self.setting = setting }

    private static let versions = ProjectSetting.policyVersions

    /// The member as operations declare it, with its path.
    var declared: (path: [String], member: Member) {
        let kind: Member.Kind =
            switch setting.kind {
            case .flag: .flag
            case .number: .integer
            case .int64: .int64
            case .text, .time, .language: .text
            }
        let name = path[path.count - 1]
        let member = Member(name: name, kind: kind, meaning: "\(setting.meaning): \(setting.accepts).")
        return (path.map { $0 == Self.versions ? "\($0)[]" : $0 }, member)
    }

    /// What stands beside the rules for passwords.
    static let declaredVersion = (
        path: ["passwordPolicyConfig", "\(versions)[]", "schemaVersion"],
        member: Member.integer("schemaVersion", "1.")
    )

    /// Whether a mask names the member, or beginnings of its path do; one of ours only by its whole name.
    func isNamed(by paths: [[String]]) -> Bool {
        setting.isOurs ? paths.contains(path) : Self.isNamed(path, by: paths)
    }

    /// Whether a mask names a path or a beginning of it.
    static func isNamed(_ path: [String], by paths: [[String]]) -> Bool {
        paths.contains { $0 == ["*"] || path.starts(with: $0) }
    }

    /// Puts the member into a document. As in production a switch that is off is left out, and so is a text that is
    /// empty; but the rules for characters are told, and ``privacy`` is there, empty.
    ///
    /// - Parameter isOwn: whether the value is a tenant's own, in the place of the project's; then it is told.
    func write(_ value: JSON, into document: inout JSON.Object, isOwn: Bool = false) {
        guard value != .string("") else { return }
        if value != .bool(false) || path.contains(Self.versions) || (isOwn && path.first != Self.privacy) {
            Self.set(value, at: path[...], in: &document)
        } else if path.first == Self.privacy {
            Self.set(.object(JSON.Object()), at: path.dropLast(), in: &document)
        }
    }

    private static let privacy = "emailPrivacyConfig"

    /// Puts a value into a document at its path.
    static func set(_ value: JSON, at path: ArraySlice<String>, in object: inout JSON.Object) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            object[name] = value
            return
        }
        let isList = name == versions
        let present = isList ? object[name]?.arrayValue?.first : object[name]
        var inner = present?.objectValue ?? (isList ? JSON.Object([("schemaVersion", 1)]) : JSON.Object())
        set(value, at: path.dropFirst(), in: &inner)
        object[name] = isList ? .array([.object(inner)]) : .object(inner)
    }

    /// The value in a body, as settings keep it; nil where the body has none.
    func text(in body: Fields) throws(Refusal) -> String? {
        var fields = body
        for name in path.dropLast() {
            guard let inner = try name == Self.versions ? fields.only(name) : fields.object(name) else { return nil }
            fields = inner
        }
        let name = path[path.count - 1]
        return switch setting.kind {
        case .flag where path.first == Self.privacy: String(try fields.bool(name) ?? false)
        case .flag: try fields.bool(name).map { String($0) }
        case .number, .int64: try fields.integer(name).map { String($0) }
        case .text, .time, .language: try fields.string(name)
        }
    }

    /// The paths of an `updateMask`; `["*"]` is all.
    ///
    /// - Parameters:
    ///   - known: the paths of members that can be changed. What lies below a ``LeftOutMember`` may be named, too.
    ///   - fixed: members that are told and cannot be changed.
    ///   - document: what a member is of, in a sentence.
    static func paths(
        _ mask: String, of known: [[String]], fixed: [String], in document: String
    ) throws(Refusal) -> [[String]] {
        var paths: [[String]] = []
        for path in mask.split(separator: ",") {
            let path = path.drop { $0 == " " }
            let names = path.split(separator: ".", omittingEmptySubsequences: false).map { camelCase(String($0)) }
            guard !fixed.contains(names.joined(separator: ".")) else {
                throw .invalidArgument("updateMask names \(Printable.given(path)), which is not changed here")
            }
            let isKnown = known.contains { $0.starts(with: names) } || LeftOutMember.isAbout(names)
            guard names == ["*"] || isKnown else {
                throw .invalidArgument(
                    "updateMask names \(Printable.given(path)), which is no member of \(document) here; the members are: "
                        + known.map { $0.joined(separator: ".") }.joined(separator: ", "))
            }
            paths.append(names)
        }
        return paths
    }

    /// `sign_in` is `signIn`, as in the bodies; `PASSWORD_RESET` is itself.
    static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        guard let first = words.first, name.utf8.contains(where: ASCII.isLowercaseLetter) else { return name }
        return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
