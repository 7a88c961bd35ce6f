package import Chronology

/// What a message says of the city that sends it.
package struct City: Sendable {
    /// How people call it: "Milano".
    package let name: String
    /// In which zone its clocks run.
    package let zone: ZoneTable

    /// A city.
    package init(name: String, zone: ZoneTable) {
        self.name = name
        self.zone = zone
    }
}
