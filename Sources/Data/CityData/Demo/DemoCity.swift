package import Chronology
package import Foundation
package import OpenData

/// The demo city: an invented Italian town of any size, written as the open data that a real
/// one publishes, so that the ordinary import reads it.
///
/// The same inhabitants, seed and first day give the same bytes. A city of 5 million takes
/// about half a minute.
package enum DemoCity {
    /// The fewest and the most inhabitants.
    package static let sizes = 50_000...5_000_000
    /// The first day of service where none is given.
    package static let usualFirstDay = CivilDate(daysSince1970: 20_454)
    /// The name of the street file.
    package static let streetFile = "demo.osm.pbf"
    /// The name of the city operator's feed.
    package static let cityFeed = "demo_city_gtfs.zip"
    /// The name of the railway's feed.
    package static let railFeed = "demo_rail_gtfs.zip"

    /// A summary of the generated city.
    package struct Summary: Equatable, Sendable {
        /// The name of the city.
        package var name = ""
        /// The stretches of street between two junctions.
        package var stretches = 0
        /// The number of house numbers.
        package var houseNumbers = 0
        /// The stops and platforms of all feeds.
        package var stops = 0
        /// The number of lines in all feeds.
        package var lines = 0
        /// The stop times of a plain weekday in all feeds.
        package var weekdayStopTimes = 0
        /// The files, streets first.
        package var files: [URL] = []
    }

    /// Why no demo city was written.
    package enum Failure: Error, Equatable, Sendable {
        /// The inhabitants are fewer or more than ``DemoCity/sizes`` allows.
        case inhabitants(Int)
        /// The service period is not 1 to 3,660 days long.
        case days(Int)
        /// A feed could not be packed.
        case archive(ZipWriter.Failure)
    }

    /// The progress of the generation.
    package struct Progress: Equatable, Sendable {
        /// The stage in progress.
        package var stage: Stage
        /// The share that is done of all, 0 to 1.
        package var share: Double
    }

    /// The parts of the work, in order.
    package enum Stage: String, Sendable {
        /// The streets are being planned.
        case streets
        /// Streets are drawn into the map.
        case map
        /// The lines are being routed.
        case lines
        /// The street file is written.
        case streetFile
        /// The feeds are being written.
        case feeds
    }

    /// Writes the street file and the feeds into a folder, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - inhabitants: within ``sizes``.
    ///   - seed: a different seed gives a different city.
    ///   - folder: files of the same names in it are replaced.
    ///   - firstDay: the first day of service.
    ///   - days: how many days the service lasts.
    ///   - progress: called with the progress, some hundred times.
    /// - Returns: a summary of what was written.
    /// - Throws: ``Failure``, or the system's error where the folder cannot be written.
    package static func write(
        inhabitants: Int,
        seed: UInt64,
        to folder: URL,
        firstDay: CivilDate = usualFirstDay,
        days: Int = 365,
        progress: (Progress) -> Void = { _ in }
    ) throws -> Summary {
        guard sizes.contains(inhabitants) else { throw Failure.inhabitants(inhabitants) }
        guard (1...3_660).contains(days) else { throw Failure.days(days) }
        var city = CityDraft(inhabitants: inhabitants, seed: seed, progress: progress)
        var summary = city.summary
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func store(_ bytes: [UInt8], _ name: String) throws {
            let url = folder.appendingPathComponent(name)
            try Data(bytes).write(to: url, options: .atomic)
            summary.files.append(url)
        }
        progress(Progress(stage: .streetFile, share: 0.55))
        try store(city.map.bytes(), streetFile)
        let timetable = city.timetable()
        for (rank, name) in [cityFeed, railFeed].enumerated() {
            progress(Progress(stage: .feeds, share: 0.75 + Double(rank) * 0.2))
            var feed = DemoFeed(
                city.transit,
                isRail: rank == 1,
                map: city.map,
                city: summary.name,
                firstDay: firstDay,
                days: days
            )
            do {
                try store(feed.bytes(timetable), name)
            } catch let failure as ZipWriter.Failure {
                throw Failure.archive(failure)
            }
            summary.stops += feed.counts.stops
            summary.lines += feed.counts.lines
            summary.weekdayStopTimes += feed.counts.weekdayStopTimes
        }
        progress(Progress(stage: .feeds, share: 1))
        return summary
    }
}
