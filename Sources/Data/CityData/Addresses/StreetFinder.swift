import Geo

/// Finds the street on which a place lies: the one that its address names, otherwise the nearest.
struct StreetFinder {
    private struct Cell: Hashable {
        var row: Int32
        var column: Int32
    }

    private struct Piece {
        var street: UInt32
        var ends: (Coordinate, Coordinate)
    }

    /// The height of a cell in 1e-7 degrees: about 100 m.
    private static let cellSize: Int32 = 9_000
    /// The greatest length of a straight piece, in cells; a longer one is an error in the data.
    private static let longest: Int64 = 100
    /// The greatest distance of a street, in metres; the neighbouring cells reach about as far.
    private static let reachMetres = 100.0

    private var pieces: [Piece] = []
    private var cells: [Cell: [Int32]] = [:]

    /// Adds a stretch of a street.
    mutating func add(_ points: ArraySlice<Coordinate>, street: UInt32) {
        for (from, to) in zip(points, points.dropFirst()) {
            let north = Int64(to.latitude) - Int64(from.latitude)
            let east = Int64(to.longitude) - Int64(from.longitude)
            let steps = max(abs(north), abs(east)) / Int64(Self.cellSize) + 1
            guard steps <= Self.longest else { continue }
            let number = Int32(pieces.count)
            pieces.append(Piece(street: street, ends: (from, to)))
            var last: Cell?
            for step in 0...steps {
                let cell = Self.cell(
                    Int64(from.latitude) + north * step / steps,
                    Int64(from.longitude) + east * step / steps
                )
                if cell != last { cells[cell, default: []].append(number) }
                last = cell
            }
        }
    }

    /// The street on which a place lies.
    ///
    /// - Parameters:
    ///   - place: the position.
    ///   - isNamed: whether the address of the place names a street.
    /// - Returns: the row of the street's entry; 0 if there is none nearby.
    func street(at place: Coordinate, where isNamed: (UInt32) -> Bool) -> UInt32 {
        let plane = LocalPlane(at: place)
        var best: (street: UInt32, metres: Double, isNamed: Bool)?
        for row in -1...Int64(1) {
            for column in -1...Int64(1) {
                let cell = Self.cell(
                    Int64(place.latitude) + row * Int64(Self.cellSize),
                    Int64(place.longitude) + column * Int64(Self.cellSize)
                )
                for number in cells[cell] ?? [] {
                    let piece = pieces[Int(number)]
                    let metres = AddressBook.nearest(on: piece.ends, plane).metres
                    guard metres <= Self.reachMetres else { continue }
                    let isNamed = isNamed(piece.street)
                    if let best, best.isNamed, !isNamed { continue }
                    if let best, best.isNamed == isNamed,
                        (best.metres, best.street) <= (metres, piece.street)
                    {
                        continue
                    }
                    best = (piece.street, metres, isNamed)
                }
            }
        }
        return best?.street ?? 0
    }

    private static func cell(_ latitude: Int64, _ longitude: Int64) -> Cell {
        func floor(_ value: Int64) -> Int32 {
            let size = Int64(cellSize)
            return Int32(value >= 0 ? value / size : -((size - 1 - value) / size))
        }
        return Cell(row: floor(latitude), column: floor(longitude))
    }
}
