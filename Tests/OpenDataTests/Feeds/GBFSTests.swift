import Chronology
import Geo
import TestSupport
import Testing

@testable import OpenData

/// V83, V86, V87: the same model from every version of GBFS.
@Suite("GBFS (V83, V87)")
struct GBFSTests {
    private static let entur = "gbfs/entur-fixtures"

    /// What is wrong with the samples.
    private static let defects = [
        "gbfs/otp-samples/helsinki": [
            "station_information: data.stations[5].station_id is missing"
        ],
        "gbfs/otp-samples/ridecheck/almere": [
            "geofencing_zones: data.geofencing_zones.features[6].geometry is missing"
        ],
    ]

    @Test("every sample of every version is read whole, but for the entries that are incomplete")
    func samples() throws {
        let folders = [
            "gbfs/divvy-chicago-v2.3", "\(Self.entur)/v2.2", "\(Self.entur)/v2.3",
            "\(Self.entur)/v3.0", "gbfs/otp-samples/duplicate-stations-v2",
            "gbfs/otp-samples/duplicate-stations-v3", "gbfs/otp-samples/helsinki",
            "gbfs/otp-samples/lillestrombysykkel", "gbfs/otp-samples/ridecheck/almere",
            "gbfs/otp-samples/tieroslo",
        ]
        for folder in folders {
            let (system, readings) = try FeedSample.system(folder)
            let discovery = try GBFSDiscovery(
                try FeedSample.bytes("\(folder)/gbfs.json"),
                language: "it"
            )
            #expect(discovery.urls[.systemInformation] != nil)
            let failures = readings.compactMap(\.firstFailure).map(\.description)
            #expect(failures == Self.defects[folder, default: []], "\(folder)")
            #expect(system.information?.name.text(in: "en").isEmpty == false)
        }
    }

    @Test("a system of 2.3 has its stations, what they hold, and its single vehicles")
    func chicago() throws {
        let (system, _) = try FeedSample.system("gbfs/divvy-chicago-v2.3")
        #expect(system.information?.id == "lyft_chi")
        #expect(system.stations.count == 1_811 && system.vehicles.count == 1_244)
        let first = try #require(system.stations.first)
        #expect(first.name.text(in: "it") == "Nordica Ave & Medill Ave" && first.capacity == 15)
        #expect(first.place == Coordinate(latitude: 419_222_700, longitude: -878_020_200))
        let state = try #require(system.stationStates[first.id])
        // This feed writes 0 and 1 where the format has false and true.
        #expect(state.rentable == 3 && state.returnable == 12)
        let vehicle = try #require(system.vehicles.first)
        #expect(vehicle.isRentable && vehicle.rangeMetres.map { Int($0) } == 54_234)
        #expect(vehicle.rental.android == "https://chi.lft.to/lastmile_qr_scan")
        #expect(system.vehicleTypes["3"]?.form == .standingScooter)
        let plan = try #require(system.pricingPlans["EBIKE_SINGLE_RIDE"])
        #expect(plan.currency == "USD" && plan.flagMicros == 1_000_000)
        // A dollar to unlock, and eleven minutes begun.
        #expect(plan.micros(kilometres: 3, minutes: 10.5) == 5_840_000)
    }

    @Test("versions 2.3 and 3.0 of one system give the same stations, states and vehicles")
    func versions() throws {
        let (old, _) = try FeedSample.system("\(Self.entur)/v2.3")
        let (new, _) = try FeedSample.system("\(Self.entur)/v3.0")
        #expect(old.stations.map(\.id) == new.stations.map(\.id))
        let oldNames = old.stations.map { $0.name.text(in: "en") }
        #expect(oldNames == new.stations.map { $0.name.text(in: "en") })
        for station in old.stations {
            let former = try #require(old.stationStates[station.id])
            let latter = try #require(new.stationStates[station.id])
            #expect(former.vehicles == latter.vehicles && former.docksByType == latter.docksByType)
        }
        #expect(old.pricingPlans["bike_plan_1"]?.perKilometre.count == 3)
        #expect(
            old.pricingPlans["bike_plan_1"]?.perKilometre
                == new.pricingPlans["bike_plan_1"]?.perKilometre
        )
        #expect(old.vehicleTypes["abc123"]?.returnRule == .anyStation)
        #expect(new.vehicleTypes["def456"]?.rangeMetres == 12_345)
        #expect(new.vehicles[3].homeStationID == "146" && new.vehicles[3].place == nil)
    }

    @Test("kilometres past a segment's end are charged by the next one, and a fee of it once more")
    func prices() throws {
        let (system, _) = try FeedSample.system("\(Self.entur)/v3.0")
        let plan = try #require(system.pricingPlans["bike_plan_1"])
        func dollars(_ kilometres: Double) -> Double {
            Double(plan.micros(kilometres: kilometres, minutes: 30)) / 1e6
        }
        #expect(dollars(9.9) == 2)
        #expect(dollars(10) == 3)
        // The flag, and 15 kilometres begun at 1.00.
        #expect(dollars(24.5) == 17)
        // Then 0.50 for each of two kilometres begun, and 3.00 for five of them.
        #expect(dollars(26.5) == 21)
    }

    @Test("the first zone with a rule for the vehicle counts, then the rules for everywhere")
    func zones() throws {
        let inside = Self.zone(0, 1, #"["car"]"#, canEnd: true)
        let around = Self.zone(0, 2, "[]", canEnd: false)
        let text = """
            {"last_updated": 1640887163, "ttl": 60, "version": "3.0", "data": {
            "geofencing_zones": {"type": "FeatureCollection", "features": [
            \(inside), \(around)
            ]}, "global_rules": [{"ride_start_allowed": false, "ride_end_allowed": false,
            "ride_through_allowed": true}]}}
            """
        var system = SharingSystem()
        _ = try system.read(Array(text.utf8), as: .geofencingZones)
        let now = Instant(seconds: 1_700_000_000)
        let inner = Coordinate(latitude: 5_000_000, longitude: 5_000_000)
        let outer = Coordinate(latitude: 15_000_000, longitude: 15_000_000)
        let outside = Coordinate(latitude: 50_000_000, longitude: 5_000_000)
        let fences = system.geofencing
        #expect(fences.rule(for: "car", at: inner, now)?.canEnd == true)
        #expect(fences.rule(for: "bike", at: inner, now)?.canEnd == false)
        #expect(fences.rule(for: "car", at: outer, now)?.canEnd == false)
        #expect(fences.rule(for: "car", at: outside, now)?.canStart == false)
        // Version 2 has no rules for everywhere, and one permission for both ends.
        let (oslo, _) = try FeedSample.system("gbfs/otp-samples/tieroslo")
        #expect(oslo.geofencing.globalRules == [] && oslo.geofencing.zones.count > 1)
        let rule = try #require(oslo.geofencing.zones[0].rules.first)
        #expect(rule.canStart && rule.canEnd && !rule.applies(to: nil))
    }

    private static func zone(_ low: Int, _ high: Int, _ types: String, canEnd: Bool) -> String {
        """
        {"type": "Feature", "properties": {"rules": [{"vehicle_type_ids": \(types),
        "ride_start_allowed": true, "ride_end_allowed": \(canEnd), "ride_through_allowed": true}]},
        "geometry": {"type": "MultiPolygon", "coordinates": [[[[\(low), \(low)], [\(high), \(low)],
        [\(high), \(high)], [\(low), \(high)], [\(low), \(low)]]]]}}
        """
    }

    @Test("an entry with an error is left out, and the error names it")
    func damage() throws {
        var system = SharingSystem()
        let reading = try system.read(
            try FeedSample.bytes("\(Self.entur)/v2.3/free_bike_status_with_error.json"),
            as: .vehicleStatus
        )
        #expect(reading.acceptedCount == 1 && reading.rejectedCount == 1)
        #expect(
            reading.firstFailure?.description
                == "vehicle_status: data.bikes[1].station_id is not a text"
        )
    }

    @Test(
        "a file that is none is refused with a sentence, and the system stays as it was",
        arguments: [
            ("", "station_status is not JSON: it ends too early (line 1, byte 1)"),
            ("[]", "station_status is not an object"),
            ("<html>", "station_status is not JSON: it has an unexpected \"<\" (line 1, byte 1)"),
            (
                #"{"last_updated": 1640887163, "ttl": 60, "version": "4.0", "data": {}}"#,
                "station_status: version is of version 4.0, which is not supported"
            ),
            (
                #"{"last_updated": 1640887163, "ttl": 60, "version": "2.3"}"#,
                "station_status: data is missing"
            ),
            (
                #"{"last_updated": "now", "ttl": 60, "version": "3.0", "data": {"stations": []}}"#,
                "station_status: last_updated has the value \"now\", which the format does not have"
            ),
            (
                #"{"last_updated": 1640887163, "version": "2.3", "data": {"stations": {}}}"#,
                "station_status: data.stations is not a list"
            ),
        ]
    )
    func refusals(text: String, message: String) throws {
        var (system, _) = try FeedSample.system("gbfs/otp-samples/helsinki")
        let before = system.stationStates
        let failure = #expect(throws: FeedFailure.self) {
            try system.read(Array(text.utf8), as: .stationStatus)
        }
        #expect(failure?.description == message)
        #expect(system.stationStates == before && !before.isEmpty)
    }

    @Test(
        "opening hours of both forms tell when a system is open",
        arguments: [
            // 2026-11-27 is a Friday.
            ("Su-Th 05:00-22:00; Fr-Sa 05:00-01:00", "2026-11-27T23:30", true),
            ("Su-Th 05:00-22:00; Fr-Sa 05:00-01:00", "2026-11-26T23:30", false),
            ("Su-Th 05:00-22:00; Fr-Sa 05:00-01:00", "2026-11-28T00:59", true),
            ("Apr 1-Nov 3 00:00-24:00", "2026-11-03T12:00", true),
            ("Apr 1-Nov 3 00:00-24:00", "2026-11-27T12:00", false),
            ("Mo,Tu,We,Th,Fr,Sa,Su 00:00-23:59", "2026-11-27T12:00", true),
            ("24/7", "2026-11-27T03:00", true),
            ("Mo-Fr 08:00-18:00; PH off", "2026-11-27T12:00", nil),
            ("sunrise-sunset", "2026-11-27T12:00", nil),
        ] as [(String, String, Bool?)]
    )
    func openingHours(text: String, time: String, isOpen: Bool?) throws {
        let hours = SharingSystem.OperatingHours(openingHours: text)
        #expect(hours.isOpen(try #require(LocalTime(iso8601: time))) == isOpen)
    }

    @Test("hours and seasons of version 2 are those of the files")
    func hours() throws {
        let (system, _) = try FeedSample.system("\(Self.entur)/v2.3")
        let hours = system.hours
        #expect(hours.periods.count == 3 && hours.seasons.count == 1)
        let season = try #require(LocalTime(iso8601: "2020-11-05T23:59:59"))
        #expect(hours.isOpen(season) == true)
        #expect(hours.isOpen(try #require(LocalTime(iso8601: "2020-11-06T00:00"))) == false)
        #expect(hours.isOpen(try #require(LocalTime(iso8601: "2021-05-01T12:00"))) == false)
    }

    @Test("damaged files give an error or a part, never a trap", arguments: GBFSFile.allCases)
    func fuzz(file: GBFSFile) throws {
        let folder = file == .systemHours || file == .systemCalendar ? "v2.3" : "v3.0"
        let bytes = try FeedSample.bytes("\(Self.entur)/\(folder)/\(file.rawValue).json")
        var refused = 0
        let copies = FeedSample.damaged(bytes, seed: 33, count: Effort.instances(2_000))
        for copy in copies {
            var system = SharingSystem()
            do throws(FeedFailure) {
                _ = try system.read(copy, as: file)
            } catch {
                #expect(error.file == file.rawValue && !error.description.isEmpty)
                refused += 1
            }
        }
        #expect((copies.count / 4..<copies.count).contains(refused))
    }
}
