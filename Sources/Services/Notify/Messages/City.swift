package import Chronology

/// The properties of the city that its messages mention.
package struct City: Sendable {
    /// The name of the city: "Milano".
    package let name: String
    /// The time zone of the city.
    package let zone: ZoneTable

    package init(name: String, zone: ZoneTable) {
        self.name = name
        self.zone = zone
    }

    /// The reading of the city's clocks at a moment.
    package func local(_ moment: Moment) -> LocalTime {
        LocalTime(Instant(seconds: moment.flooredSeconds), in: zone)
    }
}
