import Chronology
import OpenData
import Testing

/// Issue 2, "How sure": errors in a feed are repaired, and each repair is reported with
/// file, line and field.
@Suite("What is repaired in GTFS feeds")
struct GTFSRepairTests {
    struct Repair: CustomTestStringConvertible, Sendable {
        let lines: String
        let file: String
        let line: Int
        let field: String
        let kind: Diagnostic.Kind

        init(_ lines: String, _ file: String, _ line: Int, _ field: String, _ kind: Diagnostic.Kind)
        {
            (self.lines, self.file, self.line, self.field, self.kind) =
                (lines, file, line, field, kind)
        }

        var testDescription: String { "\(file): \(lines)" }
    }

    private static let people: [Repair] = [
        Repair("A,Azienda,http://a.example,Europe/Rome", "agency.txt", 3, "agency_id", .duplicate),
        Repair("B,,http://b.example,Europe/Rome", "agency.txt", 3, "agency_name", .missingName),
        Repair("B,B,http://b.example,Europe/Rome,x", "agency.txt", 3, "", .surplusFields),
        Repair("R1,1,3,A,", "routes.txt", 3, "route_id", .duplicate),
        Repair(",1,3,A,", "routes.txt", 3, "route_id", .missingValue),
        Repair("R2,2,,A,", "routes.txt", 3, "route_type", .missingValue),
        Repair("R2,2,bus,A,", "routes.txt", 3, "route_type", .badValue),
        Repair("R2,2,-1,A,", "routes.txt", 3, "route_type", .badValue),
        Repair("R2,2,3,Z,", "routes.txt", 3, "agency_id", .unknownOptionalReference),
        Repair("R2,2,3,A,red", "routes.txt", 3, "route_color", .badOptionalValue),
    ]

    private static let places: [Repair] = [
        Repair("S1,Again,45,9,0,", "stops.txt", 5, "stop_id", .duplicate),
        Repair(",Nameless,45,9,0,", "stops.txt", 5, "stop_id", .missingValue),
        Repair("S4,\"D,45,9,0,\nS5,\"E\",45,9,0,", "stops.txt", 5, "stop_name", .openQuote),
        Repair("S4,D,45,9,9,", "stops.txt", 5, "location_type", .badOptionalValue),
        Repair("S4,D,north,9,0,", "stops.txt", 5, "stop_lat", .badOptionalValue),
        Repair("S4,D,95,9,0,", "stops.txt", 5, "stop_lat", .badOptionalValue),
        Repair("S4,D,0,0,0,", "stops.txt", 0, "stop_lat", .missingCoordinate),
        Repair("S4,D,45,9,0,P", "stops.txt", 5, "parent_station", .unknownOptionalReference),
        Repair("S4,D,45,9,0,S4", "stops.txt", 5, "parent_station", .cyclicParent),
        Repair("S4,D,45,9,1,S5\nS5,E,45,9,1,S4", "stops.txt", 5, "parent_station", .cyclicParent),
    ]

    private static let days: [Repair] = [
        Repair("W,1,1,1,1,1,1,1,20141001,20141031", "calendar.txt", 3, "service_id", .duplicate),
        Repair("V,1,1,1,1,1,1,1,1 May,20141031", "calendar.txt", 3, "start_date", .badValue),
        Repair("V,1,1,1,1,1,1,1,20141001,20141301", "calendar.txt", 3, "end_date", .badValue),
        Repair("V,0,0,0,0,0,0,0,20141001,20141031", "calendar.txt", 0, "service_id", .emptyService),
        Repair("V,1,1,1,1,1,1,1,20141031,20141001", "calendar.txt", 0, "service_id", .emptyService),
        Repair(exceptions + ",20141005,1", "calendar_dates.txt", 2, "service_id", .missingValue),
        Repair(exceptions + "W,20140230,1", "calendar_dates.txt", 2, "date", .badValue),
        Repair(exceptions + "W,20141005,3", "calendar_dates.txt", 2, "exception_type", .badValue),
    ]

    private static let vehicles: [Repair] = [
        Repair("T1,R1,W,0,", "trips.txt", 4, "trip_id", .duplicate),
        Repair("T9,R9,W,0,", "trips.txt", 4, "route_id", .unknownReference),
        Repair("T9,,W,0,", "trips.txt", 4, "route_id", .missingValue),
        Repair("T9,R1,V,0,", "trips.txt", 4, "service_id", .unknownReference),
        Repair("T9,R1,W,7,", "trips.txt", 4, "direction_id", .badOptionalValue),
        Repair("T9,R1,W,0,X", "trips.txt", 4, "shape_id", .unknownOptionalReference),
        Repair("T9,S1,1,10:00:00,10:00:00", "stop_times.txt", 7, "trip_id", .unknownReference),
        Repair("T2,S9,3,10:00:00,10:00:00", "stop_times.txt", 7, "stop_id", .unknownReference),
        Repair("T2,S2,third,10:00:00,10:00:00", "stop_times.txt", 7, "stop_sequence", .badValue),
        Repair("T2,S2,3,10:00:00,10 h", "stop_times.txt", 7, "departure_time", .badOptionalValue),
        Repair("T2,S2,3,-1:00:00,10:00:00", "stop_times.txt", 7, "arrival_time", .badOptionalValue),
        Repair("T2,S2,3,48:00:01,48:00:01", "stop_times.txt", 7, "arrival_time", .badOptionalValue),
        Repair("T2,S2,3,10:60:00,10:60:00", "stop_times.txt", 7, "arrival_time", .badOptionalValue),
        Repair("T2,S2,3,09:10:00,09:10:00", "stop_times.txt", 7, "arrival_time", .decreasingTime),
        Repair("T2,S2,3,10:10:00,10:09:00", "stop_times.txt", 7, "departure_time", .decreasingTime),
        Repair("T2,S2,3,,", "stop_times.txt", 7, "arrival_time", .noEndTimes),
    ]

    private static let rest: [Repair] = [
        Repair(
            frequencies + "T9,08:00:00,09:00:00,600",
            "frequencies.txt",
            2,
            "trip_id",
            .unknownReference
        ),
        Repair(frequencies + "T1,8 h,09:00:00,600", "frequencies.txt", 2, "start_time", .badValue),
        Repair(
            frequencies + "T1,09:00:00,08:00:00,600",
            "frequencies.txt",
            2,
            "end_time",
            .badValue
        ),
        Repair(
            frequencies + "T1,08:00:00,09:00:00,0",
            "frequencies.txt",
            2,
            "headway_secs",
            .badValue
        ),
        Repair(
            frequencies + "T1,08:00:00,09:00:00,-60",
            "frequencies.txt",
            2,
            "headway_secs",
            .badValue
        ),
        Repair(transfers + "S1,S9,2,60,,", "transfers.txt", 2, "to_stop_id", .unknownReference),
        Repair(transfers + "S1,,2,60,,", "transfers.txt", 2, "to_stop_id", .missingValue),
        Repair(transfers + "S1,S2,9,60,,", "transfers.txt", 2, "transfer_type", .badOptionalValue),
        Repair(
            transfers + "S1,S2,2,-60,,",
            "transfers.txt",
            2,
            "min_transfer_time",
            .badOptionalValue
        ),
        Repair(transfers + "S1,S2,2,60,T9,", "transfers.txt", 2, "from_trip_id", .unknownReference),
        Repair(transfers + ",,4,,T1,", "transfers.txt", 2, "from_trip_id", .missingValue),
        Repair(pathways + "S1,S9,1,10", "pathways.txt", 2, "to_stop_id", .unknownReference),
        Repair(pathways + "S1,S2,9,10", "pathways.txt", 2, "pathway_mode", .badValue),
        Repair(pathways + "S1,S2,1,1e30", "pathways.txt", 2, "length", .badOptionalValue),
        Repair(pathways + "S1,S2,1,-10", "pathways.txt", 2, "length", .badOptionalValue),
        Repair(shapes + "X,95,9,1", "shapes.txt", 2, "shape_pt_lat", .badValue),
        Repair(shapes + "X,45,9,first", "shapes.txt", 2, "shape_pt_sequence", .badValue),
        Repair(
            "table_name,field_name,language,translation\nstops,stop_name,,Dawn",
            "translations.txt",
            2,
            "language",
            .missingValue
        ),
    ]

    private static let exceptions = "service_id,date,exception_type\n"
    private static let frequencies = "trip_id,start_time,end_time,headway_secs\n"
    private static let transfers =
        "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id\n"
    private static let pathways = "from_stop_id,to_stop_id,pathway_mode,length\n"
    private static let shapes = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"

    @Test("each repair names file, line and field", arguments: people + places + days)
    func repairs(_ repair: Repair) throws {
        try check(repair)
    }

    @Test("each repair of vehicles names file, line and field", arguments: vehicles + rest)
    func repairsOfVehicles(_ repair: Repair) throws {
        try check(repair)
    }

    private func check(_ repair: Repair) throws {
        let whole = try GTFSSample.read(GTFSSample.texts)
        #expect(whole.log.counts.isEmpty)
        let result = try GTFSSample.read(GTFSSample.adding(repair.lines, to: repair.file))
        let expected = Diagnostic(
            file: repair.file,
            line: repair.line,
            field: repair.field,
            kind: repair.kind
        )
        let examples = result.log.counts.map(\.example)
        #expect(examples.contains(expected), "\(examples)")
        // Valid rows are unchanged.
        #expect(result.feed.stops.prefix(3).map(\.id) == ["S1", "S2", "S3"])
        #expect(result.feed.routes[0].id == "R1")
        #expect(result.feed.trips[0].stopTimes.count == 3)
        #expect(result.feed.services[0].days.count == 23)
    }

    @Test("a trip of one stop is left out, and the rest stays")
    func shortTrip() throws {
        var texts = GTFSSample.adding("T3,R1,W,0,", to: "trips.txt")
        texts["stop_times.txt", default: ""] += "\nT3,S1,1,10:00:00,10:00:00"
        let result = try GTFSSample.read(texts)
        #expect(result.log.count(of: .shortTrip) == 1)
        #expect(result.feed.trips.map(\.stopTimes.count) == [3, 2, 0])
    }

    @Test("a station that trips serve is taken as a stop")
    func servedStation() throws {
        let result = try GTFSSample.read(
            GTFSSample.replacing(
                "stops.txt",
                with: """
                    stop_id,stop_name,stop_lat,stop_lon,location_type
                    S1,Alba,45.00,9.00,1
                    S2,Borgo,45.01,9.00,0
                    S3,Corte,45.02,9.00,2
                    """
            )
        )
        #expect(result.log.count(of: .servedLocation) == 2)
        #expect(result.feed.stops.allSatisfy { $0.kind == .stop })
    }

    @Test("exceptions of both types add and take away days, also for services without a calendar")
    func exceptionsOfBothTypes() throws {
        let result = try GTFSSample.read(
            GTFSSample.adding(
                Self.exceptions + "W,20141001,2\nW,20141005,1\nX,20141225,1\nX,20141226,2",
                to: "calendar_dates.txt"
            )
        )
        func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso8601: text)) }
        let services = result.feed.services
        #expect(services.map(\.id) == ["W", "X"])
        #expect(try !services[0].days.contains(day("2014-10-01")))
        #expect(try services[0].days.contains(day("2014-10-05")))
        #expect(services[0].days.count == 23)
        #expect(services[1].days.count == 1)
        #expect(try services[1].days.contains(day("2014-12-25")))
        #expect(result.log.counts.isEmpty)
    }

    @Test("times up to 48 h are taken, blank ones stay blank")
    func lateAndBlankTimes() throws {
        let result = try GTFSSample.read(
            GTFSSample.adding("T2,S2,3,,\nT2,S3,4,47:59:59,48:00:00", to: "stop_times.txt")
        )
        let times = result.feed.stopTimes
        #expect(times.arrival.suffix(2) == [GTFSFeed.StopTimes.blank, 172_799])
        #expect(times.departure.suffix(2) == [GTFSFeed.StopTimes.blank, 172_800])
        #expect(result.log.counts.isEmpty)
    }

    @Test("stop times in any order are read in that of their numbers")
    func shuffledStopTimes() throws {
        let lines = (GTFSSample.texts["stop_times.txt"] ?? "").split(separator: "\n")
        let shuffled = [lines[0], lines[5], lines[3], lines[1], lines[4], lines[2]]
        let result = try GTFSSample.read(
            GTFSSample.replacing("stop_times.txt", with: shuffled.joined(separator: "\n"))
        )
        #expect(result.feed.stopTimes == (try GTFSSample.read(GTFSSample.texts)).feed.stopTimes)
    }
}
