public import Columns
public import Geo

extension Timetable {
    /// The columns of the platforms.
    public struct Platforms: Sendable {
        /// The stop of each platform.
        public let stop: IndexedColumn<PlatformIndex, StopIndex>
        /// Seconds to change from one run to another; negative if that is impossible.
        private let change: IndexedColumn<PlatformIndex, Int32>
        /// The platforms of each stop; platforms are sorted by stop.
        private let ofStop: RowRanges<StopIndex, PlatformIndex>
        /// How many platforms there are.
        public var count: Int { stop.count }
        /// The rows of all platforms.
        public var indices: Range<PlatformIndex> { stop.indices }

        init(_ file: SectionFile) {
            stop = file.column("transit.platform.stop")
            change = file.column("transit.platform.change")
            ofStop = RowRanges(file.column("transit.platform.offsets"), memberCount: stop.count)
        }

        /// The platforms of a stop.
        public func platforms(ofStop stop: StopIndex) -> Range<PlatformIndex> { ofStop[stop] }

        /// Seconds to change at a platform from one run to another; nil if that is impossible.
        public func changeSeconds(_ platform: PlatformIndex) -> Int32? {
            let seconds = change[platform]
            return seconds < 0 ? nil : seconds
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

    /// Columns of patterns, of their positions, runs and times.
    public struct Patterns: Sendable {
        private let positionRanges: RowRanges<PatternIndex, PositionIndex>
        private let runRanges: RowRanges<PatternIndex, RunIndex>
        private let segmentRanges: RowRanges<RunIndex, SegmentIndex>
        /// Arrivals, then departures, of each timing pattern.
        private let times: Column<Int32>

        /// The platform of each position.
        public let platform: IndexedColumn<PositionIndex, PlatformIndex>
        /// The ``PositionFlags`` of each position.
        public let flags: IndexedColumn<PositionIndex, UInt8>
        /// The headsign from each position on, as a text number; 0 for the trip's.
        public let headsign: IndexedColumn<PositionIndex, UInt32>

        /// When each run starts, in seconds of the service day.
        public let runStart: IndexedColumn<RunIndex, Int32>
        /// The timing pattern of each run.
        public let runTiming: IndexedColumn<RunIndex, TimingIndex>
        /// The service of each run.
        public let runService: IndexedColumn<RunIndex, ServiceIndex>
        /// The row of each run's time zone.
        public let runZone: IndexedColumn<RunIndex, UInt8>
        /// 1 if the run stands for departures at a headway without exact times.
        public let runIsApproximate: IndexedColumn<RunIndex, UInt8>

        /// The position in the pattern from which the trip of a segment is ridden.
        public let segmentPosition: IndexedColumn<SegmentIndex, UInt32>
        /// The position in the pattern at which the trip of a segment ends.
        public let segmentLast: IndexedColumn<SegmentIndex, UInt32>
        /// The trip of a segment.
        public let segmentTrip: IndexedColumn<SegmentIndex, TripIndex>

        /// How many patterns there are.
        public var count: Int { positionRanges.count }
        /// The rows of all patterns.
        public var indices: Range<PatternIndex> { positionRanges.indices }
        /// How many runs there are.
        public var runCount: Int { runStart.count }

        init(_ file: SectionFile) {
            platform = file.column("transit.position.platform")
            flags = file.column("transit.position.flags")
            headsign = file.column("transit.position.headsign")
            runStart = file.column("transit.run.start")
            runTiming = file.column("transit.run.profile")
            runService = file.column("transit.run.service")
            runZone = file.column("transit.run.zone")
            runIsApproximate = file.column("transit.run.approximate")
            times = file.column("transit.profile.seconds")
            segmentPosition = file.column("transit.segment.position")
            segmentLast = file.column("transit.segment.last")
            segmentTrip = file.column("transit.segment.trip")
            positionRanges = RowRanges(
                file.column("transit.pattern.positions"),
                memberCount: platform.count
            )
            runRanges = RowRanges(
                file.column("transit.pattern.runs"),
                memberCount: runStart.count
            )
            segmentRanges = RowRanges(
                file.column("transit.run.segments"),
                memberCount: segmentTrip.count
            )
        }

        /// The positions of a pattern.
        public func positions(_ pattern: PatternIndex) -> Range<PositionIndex> {
            positionRanges[pattern]
        }

        /// The runs of a pattern.
        public func runs(_ pattern: PatternIndex) -> Range<RunIndex> { runRanges[pattern] }

        /// The trips of a run, in the order in which they are ridden.
        public func segments(_ run: RunIndex) -> Range<SegmentIndex> { segmentRanges[run] }

        /// The times of a timing pattern.
        ///
        /// - Parameters:
        ///   - timing: the timing pattern of a run.
        ///   - positionCount: how many positions the run's pattern has.
        /// - Returns: a view of the times.
        public func times(_ timing: TimingIndex, positionCount: Int) -> RunTimes {
            RunTimes(times, first: timing.row, positionCount: positionCount)
        }

        /// The trip that a run is on when it leaves a position, given by its number in the pattern.
        public func trip(_ run: RunIndex, at position: Int) -> TripIndex {
            var trip = TripIndex.zero
            for segment in segments(run) {
                if segmentPosition[segment] > position { break }
                trip = segmentTrip[segment]
            }
            return trip
        }
    }

    /// The times at the positions of a pattern, in seconds from the start of a run.
    public struct RunTimes: Sendable {
        private let times: Column<Int32>
        private let first: Int
        private let positionCount: Int

        init(_ times: Column<Int32>, first: Int, positionCount: Int) {
            self.times = times
            self.first = first
            self.positionCount = positionCount
        }

        /// When the vehicle arrives at a position, given by its number in the pattern.
        public func arrival(_ position: Int) -> Int32 { times[first &+ position] }

        /// When the vehicle leaves a position, given by its number in the pattern.
        public func departure(_ position: Int) -> Int32 {
            times[first &+ positionCount &+ position]
        }
    }

    /// The permitted use of a footpath.
    public enum FootpathUse {
        /// The footpath may be used anywhere.
        public static let any: UInt8 = 0
        /// The footpath may be used only between two trips: it stands for a rule about changing,
        /// not for a way.
        public static let changeOnly: UInt8 = 1
        /// The footpath may be used only to begin or to end: a rule forbids changing this way, or
        /// sets another time.
        public static let endsOnly: UInt8 = 2
    }

    /// Ways between platforms: the only ones on which riders may change, begin or end.
    public struct Footpaths: Sendable {
        private let ranges: RowRanges<PlatformIndex, FootpathIndex>
        /// The platform at the other end.
        public let target: IndexedColumn<FootpathIndex, PlatformIndex>
        /// The durations in seconds; those of one platform are ascending.
        public let seconds: IndexedColumn<FootpathIndex, Int32>
        /// How long each is, in metres.
        public let metres: IndexedColumn<FootpathIndex, UInt32>
        /// The permitted use of each, a ``FootpathUse``.
        public let use: IndexedColumn<FootpathIndex, UInt8>
        /// How many footpaths there are.
        public var count: Int { target.count }
        /// Whether the file has these footpaths, even if there are none.
        var isKnown: Bool { ranges.hasOffsets }

        init(_ file: SectionFile, _ name: String) {
            target = file.column(name + ".target")
            seconds = file.column(name + ".seconds")
            metres = file.column(name + ".metres")
            use = file.column(name + ".use")
            ranges = RowRanges(file.column(name + ".offsets"), memberCount: target.count)
        }

        /// The ways of a platform.
        public func of(_ platform: PlatformIndex) -> Range<FootpathIndex> { ranges[platform] }
    }

    /// The paths of trips along their shapes: a row for each stop of each different path.
    public struct TripPaths: Sendable {
        /// The point of the shape at or before each stop; `UInt32.max` where there is no shape.
        private let point: IndexedColumn<TripPathIndex, ShapePointIndex>
        /// Metres travelled from the trip's first stop.
        public let metres: IndexedColumn<TripPathIndex, UInt32>
        /// The points of all shapes, in 1e-7 degrees.
        private let latitude: IndexedColumn<ShapePointIndex, Int32>
        private let longitude: IndexedColumn<ShapePointIndex, Int32>

        init(_ file: SectionFile) {
            point = file.column("transit.course.point")
            metres = file.column("transit.course.metres")
            latitude = file.column("transit.shape.latitude")
            longitude = file.column("transit.shape.longitude")
        }

        /// The point of the shape at or before a stop; nil if there is no shape.
        public func point(_ stop: TripPathIndex) -> ShapePointIndex? {
            let point = point[stop]
            return point.row < latitude.count ? point : nil
        }

        /// The position of a point of a shape.
        public func coordinate(_ point: ShapePointIndex) -> Coordinate {
            Coordinate(latitude: latitude[point], longitude: longitude[point])
        }
    }
}
