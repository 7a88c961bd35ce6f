import Chronology
import Geo
import OpenData

/// The tripPaths of trips, each different one once: rows of the nearest shape point and the metres
/// travelled, one for each stop.
struct TripPathTable {
    /// Trips with equal keys have the same path.
    struct Key: Hashable {
        let feed: String
        let shape: Int?
        let stops: [Int32]
        let distances: [Float]
    }

    /// The point at or before each stop; `UInt32.max` where it is unknown.
    private(set) var points: [UInt32] = []
    /// Metres from the path's first stop.
    private(set) var metres: [UInt32] = []
    private var exactMetres: [Double] = []
    private var rows: [Key: Int] = [:]

    /// The first row of a path, which is added if it is new.
    ///
    /// - Parameters:
    ///   - key: identifies the path.
    ///   - shapeStart: the number of its shape's first point among those of all shapes.
    ///   - make: computes the path if it is new.
    /// - Returns: the row; those of the next stops follow.
    mutating func row(of key: Key, shapeStart: Int?, make: () -> TripPath) -> Int {
        if let row = rows[key] { return row }
        let row = points.count
        rows[key] = row
        let path = make()
        for stop in key.stops.indices {
            if let shapeStart, let shapePoints = path.points {
                points.append(UInt32(shapeStart + shapePoints[stop]))
            } else {
                points.append(.max)
            }
            // A trip that circles the Earth for a hundred times is as good as any longer one.
            metres.append(UInt32(min(4e9, path.metres[stop].rounded())))
            exactMetres.append(path.metres[stop])
        }
        return row
    }

    /// The metres of a path's stops.
    func metres(_ row: Int, count: Int) -> [Double] {
        Array(exactMetres[row..<(row + count)])
    }
}

/// The points of all shapes, one after the other.
struct ShapePoints {
    private(set) var latitudes: [Int32] = []
    private(set) var longitudes: [Int32] = []

    /// Appends the points of shapes.
    ///
    /// - Returns: the first row of each.
    mutating func add(_ shapes: [GTFSFeed.Shape]) -> [Int] {
        shapes.map { shape in
            let start = latitudes.count
            latitudes.append(contentsOf: shape.points.map(\.latitude))
            longitudes.append(contentsOf: shape.points.map(\.longitude))
            return start
        }
    }
}

/// The time zones of all agencies, each once, in order of appearance.
struct ZoneList {
    /// The IANA names of the zones.
    private(set) var names: [String] = []

    init(_ inputs: [FeedInput], cityZone: String?) throws(TimetableBuilder.Failure) {
        if let cityZone {
            guard ZoneTable(identifier: cityZone) != nil else {
                throw .unknownZone(feed: "", zone: cityZone)
            }
            names = [cityZone]
        }
        for input in inputs {
            for agency in input.feed.agencies where !names.contains(agency.zone) {
                guard ZoneTable(identifier: agency.zone) != nil, names.count < 255 else {
                    throw .unknownZone(feed: input.feed.name, zone: agency.zone)
                }
                names.append(agency.zone)
            }
        }
    }

    func number(of zone: String) -> UInt8 {
        UInt8(names.firstIndex(of: zone) ?? 0)
    }
}
