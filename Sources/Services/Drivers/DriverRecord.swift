import Foundation
package import Identity

/// The part of a driver's data that an administrator may change (R6).
package struct DriverRecord: Codable, Equatable, Sendable {
    package var name: String
    package var surname: String
    package var mobile: String
    package var papers: DriverPapers

    /// Creates a record from its fields.
    package init(name: String, surname: String, mobile: String, papers: DriverPapers) {
        self.name = name
        self.surname = surname
        self.mobile = mobile
        self.papers = papers
    }

    /// Creates the current record of a driver.
    package init(_ driver: Driver) {
        self.init(
            name: driver.name,
            surname: driver.surname,
            mobile: driver.mobile,
            papers: driver.papers
        )
    }

    /// The personal data without the papers.
    package var personal: ProfileChange {
        var change = ProfileChange()
        (change.name, change.surname, change.phone) = (name, surname, mobile)
        return change
    }

    /// Encodes the record as JSON, to be sealed under the driver's key.
    func text() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    /// Decodes the output of ``text()``.
    init(text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }
}
