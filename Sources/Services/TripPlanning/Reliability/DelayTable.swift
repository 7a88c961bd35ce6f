import Chronology
import Columns
package import OpenData
package import Transit

/// The delays that were observed in the past, by trip, stop and day.
package struct DelayTable: Sendable {
    /// How many rows are about trips and stops of the timetable.
    package private(set) var matchedCount = 0
    private var entries: [Key: [Entry]] = [:]
    private let calendars: [EmpiricalDelays.Calendar]

    private struct Key: Hashable {
        let trip: TripIndex
        let stop: StopIndex
    }

    private struct Entry: Sendable {
        let calendar: Int
        let delay: Delay
    }

    /// Matches observed delays with a timetable.
    package init(_ delays: EmpiricalDelays, _ timetable: Timetable) {
        calendars = delays.calendars
        var trips: [String: [TripIndex]] = [:]
        for trip in timetable.trips.indices {
            trips[timetable.texts[Int(timetable.trips.id[trip])], default: []].append(trip)
        }
        var stops: [String: [StopIndex]] = [:]
        for stop in timetable.stops.indices {
            stops[timetable.texts[Int(timetable.stops.id[stop])], default: []].append(stop)
        }
        for row in delays.rows {
            guard let delay = Delay(median: row.median, ninth: row.ninth),
                let trips = trips[row.trip], let stops = stops[row.stop]
            else { continue }
            matchedCount += 1
            // Feeds may use the same identifiers; pairs across feeds are never asked for.
            for trip in trips {
                for stop in stops {
                    entries[Key(trip: trip, stop: stop), default: []].append(
                        Entry(calendar: row.calendar, delay: delay)
                    )
                }
            }
        }
    }

    /// The delay of a trip at a stop on a service day; nil if none was observed.
    func delay(of trip: TripIndex, at stop: StopIndex, on day: CivilDate) -> Delay? {
        entries[Key(trip: trip, stop: stop)]?.first { calendars[$0.calendar].contains(day) }?.delay
    }
}
