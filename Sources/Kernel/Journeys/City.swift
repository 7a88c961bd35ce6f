public import Columns
public import Streets
public import Transit

/// A city: the read-only view of a city file's bytes, shared by all planners.
public struct City: Sendable {
    /// The mapped city file.
    public let file: SectionFile
    /// The public transport of the city.
    public let timetable: Timetable
    /// Its streets; empty if the file was made without.
    public let streets: StreetNetwork
    private let stopLinks: [StopLinks]

    /// Opens the city in a file.
    public init(_ file: SectionFile) {
        self.file = file
        timetable = Timetable(file)
        streets = StreetNetwork(file)
        stopLinks = Profile.allCases.map { StopLinks(file, $0) }
    }

    /// Whether the city has streets.
    public var hasStreets: Bool { streets.edgeCount > 0 }

    /// The links between stops and streets for a profile.
    public func stopLinks(_ profile: Profile) -> StopLinks {
        stopLinks[Int(profile.rawValue)]
    }
}
