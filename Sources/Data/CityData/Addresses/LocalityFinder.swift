import Geo

/// Finds the town and the part of town that a place lies in.
///
/// Without boundaries, which small extracts cut or leave out, the locality is the one that is
/// nearest in proportion to how far its kind reaches: a city's centre further than a hamlet's.
struct LocalityFinder {
    private let localities: [AddressDraft.Place]
    /// The rows of `localities`, from south to north.
    private let byLatitude: [Int]
    /// The rows of towns by their folded names.
    private var towns: [[UInt8]: Int] = [:]

    /// A town is searched for within this many times its typical radius.
    private static let reachFactor = 3.0
    /// A part of a town is searched for within this many times its typical radius.
    private static let quarterReachFactor = 1.5
    /// The search radius in 1e-7 degrees of latitude: 16 km, beyond which no
    /// locality is considered.
    private static let span: Int64 = 1_400_000

    /// A finder among localities, whose entries begin at row 1.
    init(_ localities: [AddressDraft.Place], _ texts: TextPool) {
        self.localities = localities
        for (row, locality) in localities.enumerated() where locality.isTown {
            let key = AddressText.key(texts.texts[Int(locality.name)])
            if towns[key] == nil { towns[key] = row }
        }
        byLatitude = localities.indices.sorted {
            (localities[$0].coordinate.latitude, $0) < (localities[$1].coordinate.latitude, $1)
        }
    }

    /// The entries of the localities that a place lies in; 0 if unknown.
    struct Localities {
        /// The row of the town's entry.
        var town: UInt32 = 0
        /// The town that it would be if that were not there.
        var otherTown: UInt32 = 0
        /// The row of the entry of the part of town.
        var quarter: UInt32 = 0
    }

    /// The localities that a place lies in.
    func localities(around place: Coordinate) -> Localities {
        let plane = LocalPlane(at: place)
        var town = (row: 0, share: Self.reachFactor)
        var otherTown = town
        var quarter = (row: 0, share: Self.quarterReachFactor)
        var position = firstPosition(from: Int64(place.latitude) - Self.span)
        while position < byLatitude.count {
            let row = byLatitude[position]
            let locality = localities[row]
            guard Int64(locality.coordinate.latitude) <= Int64(place.latitude) + Self.span else {
                break
            }
            let share = plane.distanceMetres(place, locality.coordinate) / locality.reach
            if locality.isTown {
                if share < town.share {
                    otherTown = town
                    town = (row + 1, share)
                } else if share < otherTown.share {
                    otherTown = (row + 1, share)
                }
            } else if share < quarter.share {
                quarter = (row + 1, share)
            }
            position += 1
        }
        return Localities(
            town: UInt32(town.row),
            otherTown: UInt32(otherTown.row),
            quarter: UInt32(quarter.row)
        )
    }

    /// The localities of a draft, each once, and the towns that only addresses name.
    static func merged(_ draft: AddressDraft) -> [AddressDraft.Place] {
        var result: [AddressDraft.Place] = []
        var rows: [[UInt8]: [Int]] = [:]
        for place in draft.localities {
            let key = AddressText.key(draft.texts.texts[Int(place.name)])
            let plane = LocalPlane(at: place.coordinate)
            // A node and an outline often represent the same locality.
            let known = rows[key, default: []].contains {
                plane.distanceMetres(place.coordinate, result[$0].coordinate) < place.reach
                    && result[$0].isTown == place.isTown
            }
            guard !known, !key.isEmpty else { continue }
            rows[key, default: []].append(result.count)
            result.append(place)
        }
        for (city, places) in citiesOfHouses(draft) {
            let key = AddressText.key(draft.texts.texts[Int(city)])
            guard rows[key] == nil, !key.isEmpty, places.count >= leastHouses else { continue }
            rows[key] = [result.count]
            let count = Int64(places.count)
            let mean = Coordinate(
                latitude: Int32(places.reduce(0) { $0 + Int64($1.latitude) } / count),
                longitude: Int32(places.reduce(0) { $0 + Int64($1.longitude) } / count)
            )
            result.append(
                AddressDraft.Place(
                    name: city,
                    otherNames: 0,
                    category: 0,
                    importance: 9,
                    coordinate: mean,
                    reach: 3_000,
                    isTown: true
                )
            )
        }
        return result
    }

    /// A town that fewer houses name is treated as a mistake.
    private static let leastHouses = 3

    /// The places of the houses of each town that houses name, in the order of first mention.
    private static func citiesOfHouses(_ draft: AddressDraft) -> [(UInt32, [Coordinate])] {
        var result: [(UInt32, [Coordinate])] = []
        var numbers: [UInt32: Int] = [:]
        for house in draft.houses where house.city != 0 {
            if let number = numbers[house.city] {
                result[number].1.append(house.coordinate)
            } else {
                numbers[house.city] = result.count
                result.append((house.city, [house.coordinate]))
            }
        }
        return result
    }

    /// The entry of the town that is named most often; nil if none is known.
    func town(named names: [UInt32], _ texts: TextPool) -> UInt32? {
        var counts: [UInt32: Int] = [:]
        for name in names where name != 0 { counts[name, default: 0] += 1 }
        let best = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let best else { return nil }
        return towns[AddressText.key(texts.texts[Int(best.key)])].map { UInt32($0 + 1) }
    }

    private func firstPosition(from latitude: Int64) -> Int {
        var low = 0
        var high = byLatitude.count
        while low < high {
            let middle = (low + high) / 2
            if Int64(localities[byLatitude[middle]].coordinate.latitude) < latitude {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
