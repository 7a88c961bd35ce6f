package import Chronology

extension Moment {
    /// Whole seconds since 1970, rounded down, clamped to the years 1 to 9999.
    var flooredSeconds: Int64 {
        let seconds = milliseconds / 1_000 - (milliseconds % 1_000 < 0 ? 1 : 0)
        return min(max(seconds, -62_135_500_000), 253_402_200_000)
    }
}

// Stored messages contain instants and dates.

extension Moment: Codable {
    /// Decodes milliseconds since 1970.
    package init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes milliseconds since 1970.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension CivilDate: Codable {
    /// Decodes days since 1970-01-01.
    package init(from decoder: any Decoder) throws {
        self.init(daysSince1970: try decoder.singleValueContainer().decode(Int32.self))
    }

    /// Encodes days since 1970-01-01.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(daysSince1970)
    }
}
