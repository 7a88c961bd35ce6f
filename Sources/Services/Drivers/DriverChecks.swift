import Chronology
import Identity
import Storage

/// The validated data of a driver, ready to be stored.
struct CheckedEntry: Sendable {
    let fields: [PersonField: String]
    let lookUps: LookUps
    let rows: DriverRows
    /// The taxi if it already exists.
    let taxi: PersonNumber?
}

/// Checks entries one after another, also against each other.
struct DriverChecks {
    private let registry: DriverRegistry
    private let today: CivilDate

    private(set) var good: [CheckedEntry] = []
    private(set) var rejected: [RejectedLine] = []
    /// The line in which each identifier was first accepted.
    private var seen: [[UInt8]: Int] = [:]
    /// The plate that was accepted for each taxi code.
    private var plates: [[UInt8]: [UInt8]] = [:]

    init(registry: DriverRegistry, today: CivilDate) {
        self.registry = registry
        self.today = today
    }

    /// Checks the entry of a line; nil stands for a line that could not be parsed.
    mutating func add(_ entry: DriverEntry?, line: Int, in transaction: Transaction) throws {
        guard let entry else {
            reject(line, [FieldProblem(.line, .badFormat)])
            return
        }
        var checked = CheckedFields()
        checkPerson(entry, &checked)
        let papers = CheckedPapers(entry.papers, registry.settings.formats, &checked)
        checked.add(papers?.expired(on: today) ?? [])
        guard let fields = try? checked.get(), let papers else {
            reject(line, checked.problems)
            return
        }
        let people = LookUps(fields, registry.secret)
        let lookUps = DriverLookUps(papers, mobile: fields[.phone] ?? "", registry.secret)
        let holders = try lookUps.holders(besides: nil, in: transaction)
        var problems = DriverLookUps.problems(holders, areShared: registry.settings.taxisAreShared)
        if let name = people.userName,
            try PersonRecord.find(userName: name, in: transaction) != nil
        {
            problems.append(FieldProblem(.userName, .taken))
        }
        if try PersonRecord.holder(ofEmail: people.email, in: transaction) != nil {
            problems.append(FieldProblem(.email, .taken))
        }
        problems += repeats(people, lookUps)
        guard problems.isEmpty else {
            reject(line, problems)
            return
        }
        accept(line, people, lookUps)
        good.append(
            CheckedEntry(
                fields: fields,
                lookUps: people,
                rows: DriverRows(papers: papers, lookUps: lookUps),
                taxi: holders.taxi
            )
        )
    }

    private func checkPerson(_ entry: DriverEntry, _ checked: inout CheckedFields) {
        checked.userName(entry.userName, isRequired: false)
        checked.email(entry.email)
        let most = CheckedFields.nameLimit
        checked.line(entry.name, .name, .name, most: most, isRequired: true)
        checked.line(entry.surname, .surname, .surname, most: most, isRequired: true)
        let phone = registry.accounts.settings.phones.number
        checked.formatted(entry.mobile, .phone, .phone, phone, isRequired: true)
        checked.language(entry.language)
    }

    /// Returns a problem for each identifier that an earlier line already uses.
    private func repeats(_ people: LookUps, _ lookUps: DriverLookUps) -> [FieldProblem] {
        var identifiers: [(FormField, [UInt8]?)] = [
            (.userName, people.userName), (.email, people.email), (.phone, lookUps.mobile),
            (.taxiLicence, lookUps.taxiLicence), (.drivingLicence, lookUps.drivingLicence),
        ]
        let isSameTaxi = plates[lookUps.taxiCode] == lookUps.plate
        if !(registry.settings.taxisAreShared && isSameTaxi) {
            identifiers += [(.taxiCode, lookUps.taxiCode), (.plate, lookUps.plate)]
        }
        return identifiers.compactMap { field, digest in
            digest.flatMap { seen[$0] }.map { FieldProblem(field, .repeated(line: $0)) }
        }
    }

    private mutating func accept(_ line: Int, _ people: LookUps, _ lookUps: DriverLookUps) {
        let digests = [
            people.userName, people.email, lookUps.mobile, lookUps.taxiLicence,
            lookUps.drivingLicence, lookUps.taxiCode, lookUps.plate,
        ]
        for case .some(let digest) in digests where seen[digest] == nil { seen[digest] = line }
        plates[lookUps.taxiCode] = lookUps.plate
    }

    private mutating func reject(_ line: Int, _ problems: [FieldProblem]) {
        rejected.append(RejectedLine(line: line, problems: problems))
    }
}
