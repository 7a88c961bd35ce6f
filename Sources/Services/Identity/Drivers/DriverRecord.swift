import Foundation

/// What an administrator may change of a driver (R6).
package struct DriverRecord: Codable, Equatable, Sendable {
    /// The given name.
    package var name: String
    /// The family name.
    package var surname: String
    /// The mobile number.
    package var mobile: String
    /// The papers in force.
    package var papers: DriverPapers

    /// A record.
    package init(name: String, surname: String, mobile: String, papers: DriverPapers) {
        self.name = name
        self.surname = surname
        self.mobile = mobile
        self.papers = papers
    }

    /// What is on record of a driver now.
    package init(_ driver: Driver) {
        self.init(
            name: driver.name,
            surname: driver.surname,
            mobile: driver.mobile,
            papers: driver.papers
        )
    }

    /// What of it is the person's and not the papers'.
    package var personal: ProfileChange {
        var change = ProfileChange()
        (change.name, change.surname, change.phone) = (name, surname, mobile)
        return change
    }

    /// The text as which it is stored, sealed under the driver's key.
    func text() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    /// Reads what ``text()`` has written.
    init(text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }
}
