package import Chronology
import Localization
import SeededRandom

/// Generates a table of fictitious drivers to test an import; the same seed gives the same table.
///
/// Plates, licences and telephone numbers have Italian formats but are invented. E-mail addresses
/// are under `example.org`, which receives no mail (RFC 2606).
package struct SampleDrivers: Sendable {
    /// The largest number of invalid lines, each with a different defect.
    package static let defects = 20

    private var chance: SeededRandom
    private let today: CivilDate

    /// Returns a CSV table with all columns: `count` valid drivers with some
    /// invalid lines mixed in.
    ///
    /// - Parameters:
    ///   - count: the number of valid lines, 1 to 90,000.
    ///   - seed: the seed for names and numbers.
    ///   - defects: the number of invalid lines, at most ``defects``.
    ///   - today: the first day; licences expire half a year to five years later.
    /// - Returns: the content of the file.
    package static func csv(
        count: Int,
        seed: UInt64,
        defects: Int = defects,
        today: CivilDate
    ) -> String {
        var sample = SampleDrivers(chance: SeededRandom(seed: seed), today: today)
        let good = (0..<max(1, min(count, 90_000))).map { sample.driver($0) }
        var lines = good.map { Self.line($0) }
        // Invalid lines repeat identifiers of the first line, so they must come after it.
        for line in sample.wrongLines(good[0]).prefix(max(0, defects)) {
            lines.insert(line, at: 1 + sample.chance.below(lines.count))
        }
        let header = DriverColumn.allCases.map(\.rawValue).joined(separator: ",")
        return ([header] + lines).joined(separator: "\n") + "\n"
    }

    private typealias Fields = [DriverColumn: String]

    private mutating func driver(_ number: Int) -> Fields {
        let name = chance.pick(Self.names)
        let surname = chance.pick(Self.surnames)
        return [
            .name: name,
            .surname: surname,
            .email: "\(name).\(surname).\(number)@example.org".lowercased().filter { $0 != " " },
            .mobile: "+39 3\(digits(2)) \(Self.padded(number, 7))",
            .taxiCode: "T\(Self.padded(number, 5))",
            .plate: plate(number),
            .taxiLicence: "\(number + 1)",
            .taxiLicenceExpires: day(),
            .drivingLicence: "MI\(Self.padded(number, 7))\(letter())",
            .drivingLicenceExpires: day(),
            .userName: "",
            .language: chance.below(10) == 0 ? "en" : "it",
            .seats: chance.below(8) == 0 ? "\(6 + chance.below(3))" : "4",
            .wheelchair: chance.below(20) == 0 ? "yes" : "no",
            .make: Self.makes[number % Self.makes.count],
            // Italian taxis are white; a few have an exemption.
            .colour: number % 9 == 8 ? "silver" : "white",
        ]
    }

    /// Creates lines with one distinct defect each.
    private mutating func wrongLines(_ first: Fields) -> [String] {
        var number = 90_000
        var wrong: [String] = []
        func changed(_ column: DriverColumn, _ text: String) {
            var fields = driver(number)
            fields[column] = text
            wrong.append(Self.line(fields))
            number += 1
        }
        let past = today.adding(days: -1).iso8601
        for column in [
            DriverColumn.taxiCode, .plate, .taxiLicence, .drivingLicence, .mobile, .email,
        ] {
            changed(column, first[column] ?? "")
        }
        changed(.name, "")
        changed(.email, "")
        changed(.mobile, "")
        changed(.plate, "AI123BC")
        changed(.plate, "A123BCD")
        changed(.taxiLicence, "12A")
        changed(.drivingLicence, "MI123")
        changed(.taxiLicenceExpires, "31/12/2030")
        changed(.drivingLicenceExpires, "2030-02-30")
        changed(.taxiLicenceExpires, past)
        changed(.email, "nobody at example.org")
        changed(.language, "de")
        changed(.name, "\"Mario")
        wrong.append("Mario,Rossi,only.three.fields@example.org")
        return wrong
    }

    private mutating func plate(_ number: Int) -> String {
        let letters = Array("ABCDEFGHJKLMNPRSTVWXYZ")
        // There are 22^2 groups of 1,000 plates, so that each number gives a unique plate.
        let group = number / 1_000
        let first = "F\(letters[group / 22 % 22])"
        let last = "\(letters[group % 22])\(letters[number % 22])"
        return first + Self.padded(number % 1_000, 3) + last
    }

    private mutating func day() -> String {
        today.adding(days: Int32(180 + chance.below(1_600))).iso8601
    }

    private mutating func digits(_ count: Int) -> String {
        (0..<count).map { _ in "\(chance.below(10))" }.joined()
    }

    private mutating func letter() -> Character {
        chance.pick(Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    /// The line without any quotes, so that a stray one stays a defect.
    private static func line(_ fields: Fields) -> String {
        DriverColumn.allCases.map { fields[$0] ?? "" }.joined(separator: ",")
    }

    private static let makes = [
        "Toyota Corolla", "Toyota Prius", "Fiat Tipo", "Skoda Octavia", "Volkswagen Touran",
        "Tesla Model 3",
    ]

    private static let names = [
        "Anna", "Antonio", "Carla", "Chiara", "Davide", "Elena", "Fatima", "Franco", "Giulia",
        "Giuseppe", "Ahmed", "Laura", "Luca", "Marco", "Maria", "Mario", "Paola", "Paolo",
        "Roberto", "Sara", "Stefano", "Teresa", "Ivan", "Wei",
    ]

    private static let surnames = [
        "Bianchi", "Bruno", "Colombo", "Conti", "Costa", "De Luca", "Esposito", "Ferrari",
        "Fontana", "Gallo", "Greco", "Hu", "Lombardi", "Mancini", "Marino", "Moretti", "Ricci",
        "Rinaldi", "Rizzo", "Romano", "Rossi", "Russo", "Singh", "Villa",
    ]
}
