/// A defect of an input that was repaired, so that the rest of the input could be used.
package struct Diagnostic: Hashable, Sendable {
    /// The file, as its feed or folder calls it.
    package let file: String
    /// The line (the header is line 1), or 0 where the whole file is meant.
    package let line: Int
    /// The field's name, or "" where the whole line is meant.
    package let field: String
    /// The kind of defect and its repair.
    package let kind: Kind

    /// Creates a diagnostic for one place in a file.
    package init(file: String, line: Int, field: String, kind: Kind) {
        self.file = file
        self.line = line
        self.field = field
        self.kind = kind
    }

    /// The kinds of repair, each with how it was repaired.
    package enum Kind: String, Sendable, CaseIterable {
        /// A required value was missing; the row was left out.
        case missingValue = "required value missing, row left out"
        /// A value could not be understood; the row was left out.
        case badValue = "value not understood, row left out"
        /// An optional value is invalid and was treated as absent.
        case badOptionalValue = "value not understood, taken as absent"
        /// The value names something that does not exist; the row was left out.
        case unknownReference = "names something that does not exist, row left out"
        /// The value refers to something that does not exist and was treated as absent.
        case unknownOptionalReference = "names something that does not exist, taken as absent"
        /// The identifier was used before; the row was left out.
        case duplicate = "identifier used before, row left out"
        /// A station is, directly or not, its own parent; it lost its parent.
        case cyclicParent = "is its own ancestor, parent ignored"
        /// Times run backwards; the trip was left out.
        case decreasingTime = "times run backwards, trip left out"
        /// A trip has fewer than two usable stops; it was left out.
        case shortTrip = "fewer than two stops, trip left out"
        /// A trip lacks its first or last time; it was left out.
        case noEndTimes = "first or last time missing, trip left out"
        /// A service runs on no day.
        case emptyService = "service runs on no day"
        /// The bytes are not UTF-8; they were read with replacement characters.
        case notUTF8 = "not UTF-8, read with replacement characters"
        /// The row has more fields than the header; the surplus was ignored.
        case surplusFields = "more fields than the header, surplus ignored"
        /// A quote is never closed; it was ignored.
        case openQuote = "quote opened and never closed, quote ignored"
        /// The feed's files lie in a folder inside the archive.
        case nestedFolder = "files lie in a folder of the archive"
        /// A location other than a stop or platform is served by a trip; read as a stop.
        case servedLocation = "trips cannot serve this kind of location, taken as a stop"
        /// A name that riders need is missing; the identifier is shown instead.
        case missingName = "no name, the identifier stands in"
        /// A coordinate is 0,0 or missing.
        case missingCoordinate = "no usable coordinate"
        /// Several rows give the same key different values; the first counts.
        case contradiction = "contradicts an earlier row, which counts"
        /// Repeated trips depart more often than can be kept; the row was left out.
        case tooManyDepartures = "more departures than can be kept, row left out"
        /// Rules for changing bind more pairs of stops than can be kept; the rule was left out.
        case tooManyPairs = "binds more pairs of stops than can be kept, rule left out"
        /// Rules for changing link more stops than can be walked through one after the other.
        case tooManyWalks = "links too many stops, not all joined to longer walks"
        /// Rules for certain routes or trips tell more platforms apart than can be kept.
        case tooManyGroups = "too many rules for certain routes or trips, some riders keep the rest"
        /// A vehicle serves more trips than can be joined.
        case tooManyTrips = "more trips of one vehicle than can be joined, riders change"
        /// A station has more places than can be walked through; its pathways were left out.
        case tooManyPlaces = "more places than a station has, its pathways left out"
        /// A trip has more stops than the search supports; it was left out.
        case longTrip = "more stops than can be searched, trip left out"
        /// Stop times and shape state distances in different units; they were measured instead.
        case otherUnit = "stop times state another unit than the shape, distances measured"
        /// A shape has more points than the stops along it can be searched for.
        case longShape = "shape too long to be followed, straight lines instead"
        /// The feed lets riders board or alight between stops, which is not supported.
        case betweenStops = "riders board and alight at stops only, not honoured"
        /// A file is larger than is kept.
        case tooLarge = "larger than is kept, left out"
        /// The file lacks a column that it must have.
        case missingColumn = "required column missing, file left out"
    }
}

/// The repairs made while reading: all are counted, and the first of each kind is kept.
package struct DiagnosticLog: Sendable, Equatable {
    /// How many there were of each file, field and kind, in order of first appearance.
    package private(set) var counts: [Count] = []
    private var positions: [Key: Int] = [:]

    /// A count of like diagnostics.
    package struct Count: Sendable, Equatable {
        /// The first diagnostic of this kind.
        package let example: Diagnostic
        /// The number of diagnostics of this kind.
        package fileprivate(set) var count: Int
    }

    private struct Key: Hashable, Sendable {
        let file: String
        let field: String
        let kind: Diagnostic.Kind
    }

    /// Creates an empty log.
    package init() {}

    /// Counts one repair and keeps the first of its kind.
    package mutating func note(
        _ file: String,
        _ line: Int,
        _ field: String,
        _ kind: Diagnostic.Kind
    ) {
        let key = Key(file: file, field: field, kind: kind)
        if let position = positions[key] {
            counts[position].count += 1
        } else {
            positions[key] = counts.count
            let example = Diagnostic(file: file, line: line, field: field, kind: kind)
            counts.append(Count(example: example, count: 1))
        }
    }

    /// How many diagnostics of a kind were noted.
    package func count(of kind: Diagnostic.Kind) -> Int {
        counts.reduce(0) { $0 + ($1.example.kind == kind ? $1.count : 0) }
    }
}
