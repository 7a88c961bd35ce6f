public import Columns

extension Timetable {
    /// The columns of the platforms.
    public struct Platforms: Sendable {
        /// The row of the stop.
        public let stop: Column<UInt32>
        /// Seconds to change here from one run to another; negative where that is impossible.
        public let change: Column<Int32>
        /// For each stop, where its platforms begin; platforms are sorted by stop.
        public let ofStop: Column<UInt32>
        /// How many platforms there are.
        public var count: Int { stop.count }

        init(_ file: SectionFile) {
            stop = file.column("transit.platform.stop")
            change = file.column("transit.platform.change")
            ofStop = file.column("transit.platform.offsets")
        }

        /// The platforms of a stop.
        public func platforms(ofStop stop: Int) -> Range<Int> {
            ofStop.range(stop, limit: count)
        }
    }

    /// The flags of a position of a pattern.
    public enum PositionFlags {
        /// Riders may board here.
        public static let pickup: UInt8 = 1 << 0
        /// Riders may alight here.
        public static let dropOff: UInt8 = 1 << 1
        /// Boarding has to be arranged by phone or with the driver.
        public static let pickupByArrangement: UInt8 = 1 << 2
        /// Alighting has to be arranged by phone or with the driver.
        public static let dropOffByArrangement: UInt8 = 1 << 3
    }

    /// Columns of patterns, of their positions, runs and profiles.
    public struct Patterns: Sendable {
        /// For each pattern where its positions begin; one more than patterns.
        public let positionOffsets: Column<UInt32>
        /// For each pattern where its runs begin; one more than patterns.
        public let runOffsets: Column<UInt32>
        /// The platform of each position.
        public let platform: Column<UInt32>
        /// The ``PositionFlags`` of each position.
        public let flags: Column<UInt8>
        /// The headsign from each position on, as a text number; 0 for the trip's.
        public let headsign: Column<UInt32>

        /// When each run starts, in seconds of the service day.
        public let runStart: Column<Int32>
        /// Where the times of each run's profile begin: as many arrivals as the pattern has
        /// positions, then as many departures.
        public let runProfile: Column<UInt32>
        /// The service row of each run.
        public let runService: Column<UInt32>
        /// For each run where its segments begin; one more than runs.
        public let runSegments: Column<UInt32>
        /// The row of each run's time zone.
        public let runZone: Column<UInt8>
        /// 1 where the run represents departures at a headway without exact times.
        public let runIsApproximate: Column<UInt8>

        /// Seconds from the run's start.
        public let times: Column<Int32>
        /// The position from which a segment's trip is ridden.
        public let segmentPosition: Column<UInt32>
        /// The position at which a segment's trip ends.
        public let segmentLast: Column<UInt32>
        /// The trip row of a segment.
        public let segmentTrip: Column<UInt32>

        /// How many patterns there are.
        public var count: Int { max(0, positionOffsets.count - 1) }
        /// How many runs there are.
        public var runCount: Int { runStart.count }

        init(_ file: SectionFile) {
            positionOffsets = file.column("transit.pattern.positions")
            runOffsets = file.column("transit.pattern.runs")
            platform = file.column("transit.position.platform")
            flags = file.column("transit.position.flags")
            headsign = file.column("transit.position.headsign")
            runStart = file.column("transit.run.start")
            runProfile = file.column("transit.run.profile")
            runService = file.column("transit.run.service")
            runSegments = file.column("transit.run.segments")
            runZone = file.column("transit.run.zone")
            runIsApproximate = file.column("transit.run.approximate")
            times = file.column("transit.profile.seconds")
            segmentPosition = file.column("transit.segment.position")
            segmentLast = file.column("transit.segment.last")
            segmentTrip = file.column("transit.segment.trip")
        }

        /// The positions of a pattern.
        public func positions(_ pattern: Int) -> Range<Int> {
            positionOffsets.range(pattern, limit: platform.count)
        }

        /// The rows of a pattern's runs.
        public func runs(_ pattern: Int) -> Range<Int> {
            runOffsets.range(pattern, limit: runStart.count)
        }

        /// The trip that a run is on when it leaves a position, and the position (within the
        /// pattern) at which that trip began.
        public func trip(_ run: Int, at position: Int) -> (trip: Int, firstPosition: Int) {
            var result = (trip: 0, firstPosition: 0)
            for segment in runSegments.range(run, limit: segmentTrip.count) {
                let first = Int(truncatingIfNeeded: segmentPosition[segment])
                if first > position { break }
                result = (Int(truncatingIfNeeded: segmentTrip[segment]), first)
            }
            return result
        }
    }

    /// The permitted use of a footpath.
    public enum FootpathUse {
        /// The footpath may be used anywhere.
        public static let any: UInt8 = 0
        /// Only between two trips: it expresses a rule for changing and not a way.
        public static let changeOnly: UInt8 = 1
        /// Only to begin or to end: a rule forbids to change this way, or sets another time.
        public static let endsOnly: UInt8 = 2
    }

    /// Ways between platforms: exactly these may be used to change, to begin and to end.
    public struct Footpaths: Sendable {
        /// For each platform where its ways begin; one more than platforms.
        public let offsets: Column<UInt32>
        /// The platform at the other end.
        public let target: Column<UInt32>
        /// The durations in seconds; those of one platform are ascending.
        public let seconds: Column<Int32>
        /// How long each is, in metres.
        public let metres: Column<UInt32>
        /// The permitted use of each, a ``FootpathUse``.
        public let use: Column<UInt8>

        init(_ file: SectionFile, _ name: String) {
            offsets = file.column(name + ".offsets")
            target = file.column(name + ".target")
            seconds = file.column(name + ".seconds")
            metres = file.column(name + ".metres")
            use = file.column(name + ".use")
        }

        /// The rows of a platform's ways.
        public func of(_ platform: Int) -> Range<Int> {
            offsets.range(platform, limit: target.count)
        }
    }

    /// The courses of trips: a row for each stop of each different course.
    public struct Courses: Sendable {
        /// The row in `latitude` and `longitude` of the point at or before the stop; `UInt32.max`
        /// where the course is unknown.
        public let point: Column<UInt32>
        /// Metres travelled from the trip's first stop.
        public let metres: Column<UInt32>
        /// The points of all shapes, in 1e-7 degrees.
        public let latitude: Column<Int32>
        /// The points of all shapes, in 1e-7 degrees.
        public let longitude: Column<Int32>

        init(_ file: SectionFile) {
            point = file.column("transit.course.point")
            metres = file.column("transit.course.metres")
            latitude = file.column("transit.shape.latitude")
            longitude = file.column("transit.shape.longitude")
        }
    }
}
