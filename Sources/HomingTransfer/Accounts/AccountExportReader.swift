// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingLinkRules
package import HomingPasswords
package import HomingStore
internal import HomingWire

/// Reads a file of accounts of another system, JSON or CSV, a piece at a time: a file of a million accounts takes no
/// more memory than one of a thousand.
package struct AccountExportReader {
    /// An account, or the reason why there is none, and the line of the file on which it begins.
    package struct Row: Sendable {
        package let line: Int
        package let account: Result<ImportedAccount, ImportedAccount.Fault>
        /// What the file calls it, for a report; it may be anything.
        package let name: String
    }

    /// The file is not what it should be, and nothing of it counts.
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    private enum Format {
        case json(JSONElements)
        case csv(CSVReader)
    }

    private var reading: AccountReading
    private let columns: AccountColumns
    /// What the columns of a file mean, once its first row has been read; nil for those that are left out.
    private var meanings: [String?]?
    private var text = UnicodeReader()
    private var format: Format?
    private var beginning: [UInt8] = []
    private var isWhole = false
    private var lastByte: UInt8?
    /// Why nothing of the file can be read.
    private var fault: Fault?

    /// - Parameters:
    ///   - scheme: how the hashes were made; nil where there are none, and where the file says it.
    ///   - columns: what the columns of plain CSV mean, and which columns of any CSV are left out.
    ///   - oldSystem: what is asked about those whose password is no hash that can be verified here.
    ///   - takesWithoutPassword: whether an account whose password cannot be verified is taken without it.
    ///   - takesWithoutAddress: whether an account whose address is none is taken without it.
    ///   - now: the time at which bans that have ended keep nobody out.
    package init(
        _ source: AccountSource = .firebase, scheme: PasswordScheme?, columns: AccountColumns = AccountColumns(),
        oldSystem: OldSystem? = nil, takesWithoutPassword: Bool = false, takesWithoutAddress: Bool = false,
        at now: Moment = Moment(milliseconds: 0)
    ) {
        reading = AccountReading(
            source: source, scheme: scheme, oldSystem: oldSystem, takesWithoutPassword: takesWithoutPassword,
            takesWithoutAddress: takesWithoutAddress, now: now)
        self.columns = columns
    }

    /// Takes the next piece of the file, which may be in UTF-8 or UTF-16.
    package mutating func take(_ piece: [UInt8]) { takeText(text.take(piece)) }

    private mutating func takeText(_ piece: [UInt8]) {
        lastByte = piece.last ?? lastByte
        switch format {
        case .json(var elements)?:
            format = nil
            elements.take(piece)
            format = .json(elements)
        case .csv(var reader)?:
            format = nil
            reader.take(piece)
            format = .csv(reader)
        case nil:
            beginning += piece
            decide()
        }
    }

    /// Marks the end of the file.
    package mutating func finish() {
        takeText(text.finish())
        isWhole = true
        if case nil = format { decide() }
        switch format {
        case .json(var elements)?:
            format = nil
            elements.finish()
            format = .json(elements)
        case .csv(var reader)?:
            format = nil
            reader.finish()
            format = .csv(reader)
        case nil: break
        }
    }

    /// The first character that is none of white space tells: no id and no name of a column begins with a bracket.
    private mutating func decide() {
        guard let first = beginning.first(where: { !ASCII.isSpace($0) }) else { return }
        let source = reading.source
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            guard source.writesJSON else { return fault = Fault(description: "it is JSON, and csv reads CSV") }
            // A list stands for itself, whatever its member would be called.
            let member = first == UInt8(ascii: "[") ? source.member ?? "" : source.member
            var elements = JSONElements(
                members: member.map { [$0] }, preface: source == .firebase ? "hashConfigs" : nil, of: "an account")
            elements.take(beginning)
            format = .json(elements)
        } else {
            guard source.writesCSV else { return fault = Fault(description: "it is no JSON, which \(source) writes") }
            // Spreadsheets separate by semicolons where numbers have commas.
            var reader = CSVReader(separators: Array(",;\t".utf8))
            reader.take(beginning)
            format = .csv(reader)
        }
        beginning = []
    }

    /// The next account; nil when none is left in the pieces so far.
    package mutating func next() throws(Fault) -> Row? {
        if let fault { throw fault }
        switch format {
        case .json(var elements)?:
            format = nil
            defer { format = .json(elements) }
            return try next(in: &elements)
        case .csv(var reader)?:
            format = nil
            defer { format = .csv(reader) }
            return try next(in: &reader)
        case nil:
            guard !isWhole else { throw Fault(description: "the file is empty") }
            return nil
        }
    }

    // MARK: JSON

    private mutating func next(in elements: inout JSONElements) throws(Fault) -> Row? {
        do throws(JSONElements.Fault) {
            while let element = try elements.next() {
                if element.isPreface {
                    (reading.schemes, reading.oldSystemNames) = try schemes(element)
                } else if let row = row(element) {
                    return row
                }
            }
            return nil
        } catch {
            throw Fault(description: error.description)
        }
    }

    /// The schemes that a file of Homing's has for its hashes, by the names that its accounts have for them, and the
    /// names of old systems.
    private func schemes(
        _ element: JSONElements.Element
    ) throws(JSONElements.Fault) -> (hashes: [String: PasswordScheme], oldSystems: Set<String>) {
        var schemes: [String: PasswordScheme] = [:]
        var oldSystems: Set<String> = []
        let configs = (try? JSON.parse(element.bytes))?.objectValue
        for (name, config) in (configs?.members ?? []).map({ ($0.key, $0.value.objectValue) }) {
            do {
                guard let config else { throw Refusal.invalidSetting("it is no object") }
                if config["algorithm"] == .string(PasswordScheme.oldSystemName) {
                    oldSystems.insert(name)
                    continue
                }
                schemes[name] = try PasswordScheme(config: config)
            } catch {
                let reason = (error as? Refusal)?.explanation ?? "\(error)"
                throw JSONElements.Fault(description: "line \(element.line): hashConfigs: \(reason)")
            }
        }
        return (schemes, oldSystems)
    }

    /// Nil for what is no person.
    private func row(_ element: JSONElements.Element) -> Row? {
        let record: AccountRecord
        do throws(JSONFault) {
            guard let object = try JSON.parse(element.bytes).objectValue else {
                return Row(line: element.line, account: .failure(.init("this is no object")), name: "")
            }
            record = AccountRecord(object)
        } catch {
            return Row(line: element.line, account: .failure(.init("this is no JSON: \(error)")), name: "")
        }
        return row(record, line: element.line)
    }

    private func row(_ record: AccountRecord, line: Int) -> Row? {
        let name = reading.name(of: record)
        do throws(ImportedAccount.Fault) {
            return try reading.account(record).map { Row(line: line, account: .success($0), name: name) }
        } catch {
            return Row(line: line, account: .failure(error), name: name)
        }
    }

    // MARK: CSV

    private mutating func next(in reader: inout CSVReader) throws(Fault) -> Row? {
        while let record = try Self.record(of: &reader) {
            if reading.source == .firebase {
                let reading = reading
                let account = Result { () throws(ImportedAccount.Fault) in
                    var account = try ImportedAccount(record.fields, reading)
                    reading.complete(&account)
                    return account
                }
                return Row(line: record.line, account: account, name: record.fields.first ?? "")
            }
            guard let meanings else {
                meanings = try columns.meanings(of: record.fields, from: reading.source)
                continue
            }
            // An empty line at the end is none.
            if record.fields.count == 1, meanings.count > 1, record.fields[0].isEmpty { continue }
            do throws(ImportedAccount.Fault) {
                let record = try (line: record.line, AccountRecord(record.fields, columns: meanings))
                if let row = row(record.1, line: record.line) { return row }
            } catch {
                return Row(line: record.line, account: .failure(error), name: record.fields.first ?? "")
            }
        }
        // A row of Firebase's that was cut off behind its first columns looks whole.
        if isWhole, reading.source == .firebase, lastByte != UInt8(ascii: "\n") {
            throw Fault(
                description:
                    "it ends in the middle of a row: the last row of auth:export ends with a line break (add one if "
                    + "the file is whole)")
        }
        return nil
    }

    private static func record(of reader: inout CSVReader) throws(Fault) -> CSVReader.Record? {
        do throws(CSVFault) {
            return try reader.next()
        } catch {
            throw Fault(description: LinkFileFault(error).description)
        }
    }
}
