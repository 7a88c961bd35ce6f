package import Chronology
package import CityData
import Geo

/// A place at which a task may be, and when it is open.
package struct TaskPlace: Sendable, Equatable {
    /// The place with its name and position.
    package var place: ResolvedPlace
    /// When it is open around the task's window, in order; nil if that is unknown, which counts as
    /// always, or does not matter.
    package var openings: [Range<Instant>]?

    /// Creates a place; without opening times it counts as always open.
    package init(_ place: ResolvedPlace, openings: [Range<Instant>]? = nil) {
        self.place = place
        self.openings = openings
    }

    /// Whether it is open within a window for some seconds at a time, as far as is known.
    func isOpen(in window: Range<Instant>, seconds: Int64) -> Bool {
        guard let openings else { return true }
        return openings.contains { opening in
            let (start, end) = (
                max(opening.lowerBound, window.lowerBound),
                min(opening.upperBound, window.upperBound)
            )
            return end.seconds - start.seconds >= max(1, seconds)
        }
    }
}

extension CalendarTask {
    /// The most places that are considered for a task.
    package static let placesLimit = 8

    /// Whether all its places are known not to be open for long enough.
    package var isClosed: Bool { !places.isEmpty && !places.contains { isOpen($0) } }

    private func isOpen(_ own: TaskPlace) -> Bool {
        switch timing {
        case .fixed: true
        case .flexible(let window, _, let seconds): own.isOpen(in: window, seconds: seconds)
        }
    }

    /// Lets the task be at any of some places: of those that may be open, or if there are none of
    /// all, the ones nearest to some positions.
    ///
    /// First come those that are the nearest to one of the positions, then those that are the
    /// second nearest to one, and so on; of equal ones the nearer first. So a place on the other
    /// side of the city, where the day leads too, has its turn although many are near the first
    /// position.
    ///
    /// - Parameters:
    ///   - all: the places; of equally near ones the first is taken.
    ///   - positions: where the owner is on that day, in any order.
    ///   - limit: how many to choose at the most.
    mutating func choose(from all: [TaskPlace], near positions: [Coordinate], limit: Int) {
        let open = all.filter { isOpen($0) }
        let candidates = open.isEmpty ? all : open
        var nearness = [(rank: Int, metres: Double)](
            repeating: (.max, .infinity),
            count: candidates.count
        )
        for position in positions {
            let metres = candidates.map { candidate in
                candidate.place.coordinate.map { position.distanceMetres(to: $0) } ?? .infinity
            }
            let order = candidates.indices.sorted { (metres[$0], $0) < (metres[$1], $1) }
            for (rank, number) in order.prefix(limit).enumerated()
            where (rank, metres[number]) < nearness[number] {
                nearness[number] = (rank, metres[number])
            }
        }
        let order = candidates.indices.sorted { one, other in
            let (first, second) = (nearness[one], nearness[other])
            return (first.rank, first.metres, one) < (second.rank, second.metres, other)
        }
        places = order.prefix(limit).map { candidates[$0] }
        knownPlaces = all.count
    }
}
