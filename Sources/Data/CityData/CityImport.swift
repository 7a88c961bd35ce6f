import Chronology
package import Columns
import Foundation
package import OpenData
package import Streets
import Transit

/// Makes a city file out of the open data of a city.
package enum CityImport {
    /// A GTFS feed as the operator names it: a file and the weeks by which its days are moved.
    package struct FeedArgument: Sendable, Equatable {
        /// The zip archive or folder.
        package let path: String
        /// Whole weeks, positive into the future.
        package let shiftWeeks: Int32

        /// The largest move that makes sense: a century.
        static let shiftLimit: Int32 = 5_218

        /// Parses `FILE`, `FILE@+Nw` or `FILE@-Nw`; nil if the part after the `@` is invalid.
        package init?(_ argument: String) {
            guard let at = argument.lastIndex(of: "@"), argument.hasSuffix("w") else {
                path = argument
                shiftWeeks = 0
                return
            }
            let move = argument[argument.index(after: at)...].dropLast()
            guard let sign = move.first, sign == "+" || sign == "-" else {
                path = argument
                shiftWeeks = 0
                return
            }
            guard let weeks = Int32(move), (-Self.shiftLimit...Self.shiftLimit).contains(weeks)
            else { return nil }
            path = String(argument[..<at])
            shiftWeeks = weeks
        }

        /// The feed's name: the file's name without extension.
        package var name: String {
            let file = path.split(separator: "/").last.map(String.init) ?? path
            guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
            return String(file[..<dot])
        }
    }

    /// A step of an import, for progress reports.
    package enum Step: Sendable, Equatable {
        /// Reading the feed of that name.
        case readingFeed(String)
        /// Reading streets from OpenStreetMap.
        case readingStreets
        /// Ordering streets for fast search.
        case orderingStreets
        /// Computing walks between stops.
        case walking
        /// Building the timetable of all feeds.
        case buildingTimetable
        /// Indexing the addresses.
        case indexingAddresses
        /// Building the map layers.
        case drawingMap
        /// Writing the city file.
        case writing
    }

    /// The contents of the inputs, and the repairs made to them.
    package struct Report: Sendable {
        /// The contents of the street network; nil without streets.
        package var streets: StreetImport.Report?
        /// The numbers of addresses and places; nil without streets.
        package var addresses: AddressBuilder.Counts?
        /// The contents of the map; nil without streets.
        package var map: MapBuilder.Counts?
        /// The repairs of each feed, by name, and at the end those of the timetable.
        package var repairs: [(input: String, log: DiagnosticLog)] = []
        /// The tariffs of feeds that state no prices themselves, by the name of the feed.
        package var tariffs: [(input: String, tariff: PublishedTariff)] = []

        /// Creates an empty report.
        package init() {}
    }

    /// The reason why an import failed.
    package enum Failure: Error, Equatable, Sendable {
        /// The streets cannot be read.
        case streets(OSMFailure)
        /// The streets contradict themselves, which the importer must not let happen.
        case network(StreetFailure)
        /// A feed is unreadable.
        case feed(GTFSFailure)
        /// A timetable cannot be built.
        case timetable(TimetableBuilder.Failure)
        /// Two feeds have the same name, so that their stops could not be distinguished.
        case sameName(String)
        /// There is nothing to import.
        case nothing
    }

    /// Imports streets and feeds.
    ///
    /// - Parameters:
    ///   - osm: the path of an OpenStreetMap file; nil for a city without streets.
    ///   - feeds: the GTFS feeds to import.
    ///   - zone: the IANA name of the city's time zone; nil for that of the first feed, or this
    ///     machine's where there are no feeds.
    ///   - progress: called with each step and its progress, 0 to 1.
    /// - Returns: the city file's sections, and the report.
    /// - Throws: ``Failure``; nothing has been written then.
    package static func run(
        osm: String?,
        feeds: [FeedArgument],
        zone: String? = nil,
        progress: (Step, Double) -> Void
    ) throws(Failure) -> (writer: SectionWriter, report: Report) {
        var report = Report()
        let writer = try run(osm: osm, feeds: feeds, zone: zone, report: &report, progress)
        return (writer, report)
    }

    /// Imports streets and feeds; `report` contains the contents and repairs up to
    /// the end or the failure.
    ///
    /// Parameters and failures are those of ``run(osm:feeds:zone:progress:)``.
    ///
    /// - Returns: the city file's sections.
    package static func run(
        osm: String?,
        feeds: [FeedArgument],
        zone: String? = nil,
        report: inout Report,
        _ progress: (Step, Double) -> Void
    ) throws(Failure) -> SectionWriter {
        guard osm != nil || !feeds.isEmpty else { throw .nothing }
        var writer = SectionWriter()
        let inputs = try read(feeds, &report, progress)
        var walks: StopWalks?
        if let osm {
            report.streets = try addStreets(osm, &writer, progress)
            walks = addStopLinks(inputs, StreetNetwork(opened(writer)), &writer, progress)
        }
        progress(.buildingTimetable, 0)
        do throws(TimetableBuilder.Failure) {
            let log = try TimetableBuilder.add(
                inputs,
                cityZone: zone ?? (inputs.isEmpty ? TimeZone.current.identifier : nil),
                walks: walks,
                to: &writer
            )
            report.repairs.append(("the timetable", log))
        } catch {
            throw .timetable(error)
        }
        progress(.indexingAddresses, 0)
        do throws(OSMFailure) {
            let map = try osm.map { path throws(OSMFailure) in try OSMFile(path: path) }
            let timetable = Timetable(opened(writer))
            report.addresses = try AddressBuilder.add(osm: map, timetable: timetable, to: &writer)
            progress(.drawingMap, 0)
            if let map { report.map = try MapBuilder.add(osm: map, to: &writer) }
        } catch {
            throw .streets(error)
        }
        return writer
    }

    /// The sections written so far, for the steps that build on them.
    private static func opened(_ writer: SectionWriter) -> SectionFile {
        do throws(SectionFile.Failure) {
            return try writer.opened()
        } catch {
            preconditionFailure("a writer writes what can be opened: \(error)")
        }
    }

    private static func read(
        _ feeds: [FeedArgument],
        _ report: inout Report,
        _ progress: (Step, Double) -> Void
    ) throws(Failure) -> [FeedInput] {
        var inputs: [FeedInput] = []
        for argument in feeds {
            guard !inputs.contains(where: { $0.feed.name == argument.name }) else {
                throw .sameName(argument.name)
            }
            progress(.readingFeed(argument.name), 0)
            do throws(GTFSFailure) {
                let source = FeedSource.at(path: argument.path)
                var log = DiagnosticLog()
                defer { report.repairs.append((argument.name, log)) }
                var feed = try GTFSReader.read(source, name: argument.name, log: &log)
                if let tariff = tariff(for: feed, argument) {
                    feed.fares = tariff.fares(of: feed)
                    report.tariffs.append((argument.name, tariff))
                }
                inputs.append(FeedInput(feed, shiftWeeks: argument.shiftWeeks))
            } catch {
                throw .feed(error)
            }
        }
        return inputs
    }

    /// The tariff of a feed without prices, as of the last day of its timetable.
    private static func tariff(for feed: GTFSFeed, _ argument: FeedArgument) -> PublishedTariff? {
        let days = feed.services.compactMap {
            $0.days.shifted(days: argument.shiftWeeks * 7).last
        }
        return days.max().flatMap { PublishedTariff.tariff(for: feed, on: $0) }
    }

    private static func addStreets(
        _ path: String,
        _ writer: inout SectionWriter,
        _ progress: (Step, Double) -> Void
    ) throws(Failure) -> StreetImport.Report {
        let draft: StreetDraft
        let report: StreetImport.Report
        do throws(OSMFailure) {
            (draft, report) = try StreetImport.draft(from: try OSMFile(path: path)) {
                progress(.readingStreets, $0)
            }
        } catch {
            throw .streets(error)
        }
        do throws(StreetFailure) {
            try writer.add(streets: draft) { progress(.orderingStreets, $0) }
        } catch {
            throw .network(error)
        }
        return report
    }

    /// Finds the links of the stops, and the walks between stops.
    private static func addStopLinks(
        _ inputs: [FeedInput],
        _ network: StreetNetwork,
        _ writer: inout SectionWriter,
        _ progress: (Step, Double) -> Void
    ) -> StopWalks {
        var walks: [[[StopWalk]]] = []
        var hasStreet: [Bool] = []
        for profile in [Profile.foot, .wheelchair, .bicycle, .car] {
            let links = StopLinkBuilder(inputs, network, profile)
            links.write(to: &writer)
            if profile == .foot { hasStreet = links.links.map { !$0.isEmpty } }
            guard profile == .foot || profile == .wheelchair else { continue }
            let begin = Double(walks.count) / 2
            walks.append(
                StreetWalks.walks(inputs, links.links, network, profile) {
                    progress(.walking, begin + $0 / 2)
                }
            )
        }
        return StopWalks(onFoot: walks[0], stepFree: walks[1], hasStreet: hasStreet)
    }
}
