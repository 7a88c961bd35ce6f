import Chronology
import Columns
import Geo
import OpenData
import Transit

extension TimetableBuilder {
    /// Writes all sections of the timetable.
    mutating func write(walks: StopWalks?, to writer: inout SectionWriter) {
        writeFeeds(&writer)
        writeZones(&writer)
        writeAgencies(&writer)
        writeStops(&writer)
        writeRoutes(&writer)
        writeTrips(&writer)
        writeServices(&writer)
        let offsets = writePlatforms(walks: walks, &writer)
        writePatterns(platformOffsets: offsets, &writer)
        writer.add("transit.course.point", tripPaths.points)
        writer.add("transit.course.metres", tripPaths.metres)
        writer.add("transit.shape.latitude", shapePoints.latitudes)
        writer.add("transit.shape.longitude", shapePoints.longitudes)
        writeFares(&writer)
        writer.add("transit.text", texts: texts.texts)
    }

    private mutating func writeFeeds(_ writer: inout SectionWriter) {
        let feeds = inputs.map(\.feed)
        writer.add("transit.feed.name", feeds.map { texts.number(of: $0.name) })
        writer.add("transit.feed.publisher", feeds.map { texts.number(of: $0.info.publisher) })
        writer.add("transit.feed.version", feeds.map { texts.number(of: $0.info.version) })
        writer.add("transit.feed.shift", inputs.map(\.shiftWeeks))
        let spans = inputs.map { input in
            let used = Set(input.feed.trips.map(\.service))
            let days = used.map { input.feed.services[$0].days }
            let shift = input.shiftWeeks * 7
            return (
                first: (days.compactMap { $0.first?.daysSince1970 }.min() ?? 0) + shift,
                last: (days.compactMap { $0.last?.daysSince1970 }.max() ?? -1) + shift
            )
        }
        writer.add("transit.feed.first", spans.map(\.first))
        writer.add("transit.feed.last", spans.map(\.last))
        writeTranslations(feeds, &writer)
    }

    private mutating func writeTranslations(
        _ feeds: [GTFSFeed],
        _ writer: inout SectionWriter
    ) {
        var columns = [[UInt32]](repeating: [], count: 7)
        for (number, feed) in feeds.enumerated() {
            for translation in feed.translations {
                let values = [
                    translation.table, translation.field, translation.language,
                    translation.text, translation.record, translation.value,
                ]
                columns[0].append(UInt32(number))
                for (column, value) in values.enumerated() {
                    columns[column + 1].append(texts.number(of: value))
                }
            }
        }
        let names = ["feed", "table", "field", "language", "text", "record", "value"]
        for (name, column) in zip(names, columns) {
            writer.add("transit.translation." + name, column)
        }
    }

    private mutating func writeZones(_ writer: inout SectionWriter) {
        let tables = zones.names.map { ZoneTable(identifier: $0) ?? .utc }
        writer.add("transit.zone.name", zones.names.map { texts.number(of: $0) })
        writer.add("transit.zone.offsets", Self.offsets(tables.map(\.starts.count)))
        writer.add("transit.zone.start", tables.flatMap(\.starts))
        writer.add("transit.zone.seconds", tables.flatMap(\.offsets))
    }

    private mutating func writeAgencies(_ writer: inout SectionWriter) {
        let agencies = inputs.flatMap(\.feed.agencies)
        writer.add("transit.agency.name", agencies.map { texts.number(of: $0.name) })
        writer.add("transit.agency.url", agencies.map { texts.number(of: $0.url) })
        writer.add("transit.agency.fareurl", agencies.map { texts.number(of: $0.fareURL) })
        writer.add("transit.agency.zone", agencies.map { UInt32(zones.number(of: $0.zone)) })
        writer.add("transit.agency.id", agencies.map { texts.number(of: $0.id) })
        writer.add(
            "transit.agency.feed",
            inputs.enumerated().flatMap { number, input in
                input.feed.agencies.map { _ in UInt32(number) }
            }
        )
    }

    private mutating func writeStops(_ writer: inout SectionWriter) {
        let stops = inputs.flatMap(\.feed.stops)
        let bases = Self.stopBases(inputs)
        writer.add("transit.stop.id", stops.map { texts.number(of: $0.id) })
        writer.add("transit.stop.name", stops.map { texts.number(of: $0.name) })
        writer.add("transit.stop.farezone", stops.map { texts.number(of: $0.fareZone) })
        writer.add("transit.stop.platform", stops.map { texts.number(of: $0.platform) })
        writer.add("transit.stop.latitude", stops.map { $0.coordinate?.latitude ?? 0 })
        writer.add("transit.stop.longitude", stops.map { $0.coordinate?.longitude ?? 0 })
        writer.add("transit.stop.kind", stops.map(\.kind.rawValue))
        writer.add("transit.stop.wheelchair", stops.map(\.wheelchair.rawValue))
        var feeds: [UInt32] = []
        var parents: [UInt32] = []
        for (number, input) in inputs.enumerated() {
            for (stop, values) in input.feed.stops.enumerated() {
                feeds.append(UInt32(number))
                parents.append(UInt32(bases[number] + (values.parent ?? stop)))
            }
        }
        writer.add("transit.stop.feed", feeds)
        writer.add("transit.stop.parent", parents)
    }

    private mutating func writeRoutes(_ writer: inout SectionWriter) {
        let routes = inputs.flatMap(\.feed.routes)
        writer.add("transit.route.id", routes.map { texts.number(of: $0.id) })
        writer.add("transit.route.short", routes.map { texts.number(of: $0.shortName) })
        writer.add("transit.route.long", routes.map { texts.number(of: $0.longName) })
        writer.add(
            "transit.route.mode",
            routes.map { TransitMode(routeType: $0.type).rawValue }
        )
        writer.add("transit.route.color", routes.map { $0.color ?? .max })
        writer.add("transit.route.textcolor", routes.map { $0.textColor ?? .max })
        var agencies: [UInt32] = []
        var base = 0
        for input in inputs {
            agencies.append(contentsOf: input.feed.routes.map { UInt32(base + $0.agency) })
            base += input.feed.agencies.count
        }
        writer.add("transit.route.agency", agencies)
    }

    private mutating func writeTrips(_ writer: inout SectionWriter) {
        let trips = inputs.flatMap(\.feed.trips)
        writer.add("transit.trip.id", trips.map { texts.number(of: $0.id) })
        writer.add("transit.trip.headsign", trips.map { texts.number(of: $0.headsign) })
        writer.add("transit.trip.short", trips.map { texts.number(of: $0.shortName) })
        writer.add("transit.trip.wheelchair", trips.map(\.wheelchair.rawValue))
        writer.add("transit.trip.bikes", trips.map(\.bikes.rawValue))
        writer.add("transit.trip.course", tripPathRows)
        var routes: [UInt32] = []
        var base = 0
        for input in inputs {
            routes.append(contentsOf: input.feed.trips.map { UInt32(base + $0.route) })
            base += input.feed.routes.count
        }
        writer.add("transit.trip.route", routes)
    }

    private func writeServices(_ writer: inout SectionWriter) {
        writer.add("transit.service.first", draft.services.map(\.firstDay))
        writer.add("transit.service.offsets", Self.offsets(draft.services.map(\.words.count)))
        writer.add("transit.service.word", draft.services.flatMap(\.words))
    }

    /// Writes platforms and footpaths; returns the first platform of each stop of all feeds.
    private mutating func writePlatforms(walks: StopWalks?, _ writer: inout SectionWriter) -> [Int]
    {
        let variants = plans.flatMap(\.variants)
        let offsets = variants.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
        writer.add(
            "transit.platform.stop",
            variants.enumerated().flatMap { stop, list in list.map { _ in UInt32(stop) } }
        )
        writer.add("transit.platform.offsets", offsets.map { UInt32($0) })
        let stated = inputs.indices.flatMap { closure($0) }
        let isOnMap = walks?.isOnMap ?? Array(repeating: false, count: variants.count)
        let onFoot = Self.joined(walks?.onFoot, stated, isOnMap)
        writeFootpaths(onFoot, isOnMap, "transit.", offsets, &writer)
        // Without streets it is unknown which paths have steps.
        if let walks {
            let stepFree = Self.joined(walks.stepFree, stated, isOnMap)
            writeFootpaths(stepFree, isOnMap, "transit.stepfree.", offsets, &writer)
        }
        return offsets
    }

    /// Writes the ways between platforms; and, under the first name, the times to change.
    private func writeFootpaths(
        _ walks: [[StopWalk]],
        _ isOnMap: [Bool],
        _ name: String,
        _ platformOffsets: [Int],
        _ writer: inout SectionWriter
    ) {
        var builder = FootpathBuilder(platformOffsets: platformOffsets, isOnMap: isOnMap)
        let bases = Self.stopBases(inputs)
        for (number, input) in inputs.enumerated() {
            let base = bases[number]
            builder.add(
                input.feed,
                base: base,
                plan: plans[number],
                rules: rules[number],
                walks: Array(walks[base..<bases[number + 1]])
            )
        }
        if name == "transit." { writer.add("transit.platform.change", builder.changes) }
        let count = builder.changes.count
        Self.write(name + "footpath", builder.footpaths, count: count, &writer)
        let reversed = builder.footpaths.map { path in
            FootpathDraft(
                from: path.to,
                to: path.from,
                seconds: path.seconds,
                metres: path.metres,
                use: path.use
            )
        }
        Self.write(name + "reverse", reversed, count: count, &writer)
    }

    /// The walks of all stops: on the streets; for stops off the map, and without streets,
    /// those of `transfers.txt`.
    private static func joined(
        _ walks: [[StopWalk]]?,
        _ stated: [[StopWalk]],
        _ isOnMap: [Bool]
    ) -> [[StopWalk]] {
        guard let walks else { return stated }
        return stated.enumerated().map { stop, list in
            walks[stop] + list.filter { !isOnMap[stop] || !isOnMap[$0.to] }
        }
    }

    /// The walks of a feed's `transfers.txt`, closed under composition.
    private mutating func closure(_ number: Int) -> [[StopWalk]] {
        let base = Self.stopBases(inputs)[number]
        return FootpathClosure.walks(rules[number], inputs[number].feed, &log).map { list in
            list.map { walk in
                StopWalk(to: base + walk.to, seconds: walk.seconds, metres: walk.metres)
            }
        }
    }

    private static func write(
        _ name: String,
        _ footpaths: [FootpathDraft],
        count: Int,
        _ writer: inout SectionWriter
    ) {
        let sorted = footpaths.sorted { left, right in
            (left.from, left.seconds, left.to, left.use.rawValue)
                < (right.from, right.seconds, right.to, right.use.rawValue)
        }
        var counts = [Int](repeating: 0, count: count)
        for path in sorted { counts[path.from] += 1 }
        writer.add(name + ".offsets", offsets(counts))
        writer.add(name + ".target", sorted.map { UInt32($0.to) })
        writer.add(name + ".seconds", sorted.map(\.seconds))
        writer.add(name + ".metres", sorted.map(\.metres))
        writer.add(name + ".use", sorted.map(\.use.rawValue))
    }

    private func writePatterns(platformOffsets: [Int], _ writer: inout SectionWriter) {
        let patterns = draft.patterns
        let positions = patterns.flatMap(\.positions)
        let runs = patterns.flatMap(\.runs)
        writer.add("transit.pattern.positions", Self.offsets(patterns.map(\.positions.count)))
        writer.add("transit.pattern.runs", Self.offsets(patterns.map(\.runs.count)))
        writer.add(
            "transit.position.platform",
            positions.map { UInt32(platformOffsets[Int($0.stop)]) + $0.variant }
        )
        writer.add("transit.position.flags", positions.map(\.flags))
        writer.add("transit.position.headsign", positions.map(\.headsign))
        writer.add("transit.run.start", runs.map(\.start))
        writer.add("transit.run.profile", runs.map(\.timing))
        writer.add("transit.run.service", runs.map(\.service))
        writer.add("transit.run.zone", runs.map(\.zone))
        writer.add("transit.run.approximate", runs.map { $0.isApproximate ? UInt8(1) : 0 })
        writer.add("transit.run.segments", Self.offsets(runs.map(\.segments.count)))
        writer.add("transit.segment.position", runs.flatMap { $0.segments.map(\.position) })
        writer.add("transit.segment.last", runs.flatMap { $0.segments.map(\.last) })
        writer.add("transit.segment.trip", runs.flatMap { $0.segments.map(\.trip) })
        writer.add("transit.profile.seconds", draft.times)
    }

    /// Where each of some lists begins when they are laid one after the other, and the end.
    private static func offsets(_ counts: [Int]) -> [UInt32] {
        counts.reduce(into: [0]) { $0.append(($0.last ?? 0) + UInt32($1)) }
    }
}
