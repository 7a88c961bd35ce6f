import Chronology
import TestSupport
import Testing

@testable import OpenData

/// V47, V86: alerts of GTFS Realtime.
@Suite("GTFS Realtime alerts (V47, V86)")
struct ServiceAlertTests {
    private static let sample = "gtfs-rt/halifax/Alerts.pb"

    @Test("all alerts of a real feed are read")
    func halifax() throws {
        let feed = try ServiceAlerts(try FeedSample.bytes(Self.sample))
        #expect(feed.alerts.count == 46 && feed.otherCount == 0)
        #expect(feed.made == (try FeedSample.instant("2025-11-06T21:04:14")))
        let first = try #require(feed.alerts.first)
        #expect(first.id == "94597" && first.cause == .construction && first.effect == .other)
        #expect(first.entities.first?.routeID == "7B" && first.entities.first?.stopID == "6096")
        #expect(first.periods.count == 1)
        let start = try #require(first.periods[0].start)
        #expect(first.isActive(start) && !first.isActive(start.adding(seconds: -1)))
        #expect(feed.alerts.allSatisfy { !$0.header.text(in: "en").isEmpty })
    }

    @Test(
        "trip updates and positions are counted, not taken for alerts",
        arguments: [
            ("gtfs-rt/halifax/TripUpdates.pb", 511), ("gtfs-rt/halifax/VehiclePositions.pb", 291),
            ("gtfs-rt/rome/rome_rtgtfs_vehicle_positions_feed.pb", 1_062),
        ]
    )
    func others(path: String, count: Int) throws {
        let feed = try ServiceAlerts(try FeedSample.bytes(path))
        #expect(feed.alerts.isEmpty && feed.otherCount == count)
    }

    @Test("a strike keeps its cause, effect, severity, trip and texts in two languages")
    func strike() throws {
        var selector = ProtobufWriter()
        var trip = ProtobufWriter()
        trip.add(1, bytes: "T1".utf8)
        trip.add(3, bytes: "20261128".utf8)
        selector.add(1, bytes: "ATM".utf8)
        selector.add(4, bytes: trip.bytes)
        var header = ProtobufWriter()
        for (language, text) in [("it", "Sciopero"), ("en", "Strike")] {
            var translation = ProtobufWriter()
            translation.add(1, bytes: text.utf8)
            translation.add(2, bytes: language.utf8)
            header.add(1, bytes: translation.bytes)
        }
        var alert = ProtobufWriter()
        alert.add(5, bytes: selector.bytes)
        alert.add(6, 4)
        alert.add(7, 1)
        alert.add(10, bytes: header.bytes)
        alert.add(14, 4)
        let feed = try ServiceAlerts(Self.feed(alert.bytes))
        let read = try #require(feed.alerts.first)
        #expect(read.cause == .strike && read.effect == .noService && read.severity == .severe)
        #expect(read.entities.first?.agencyID == "ATM" && read.entities.first?.tripID == "T1")
        #expect(read.entities.first?.tripDate == "20261128")
        #expect(read.header.text(in: "it") == "Sciopero")
        #expect(read.header.text(in: "de") == "Strike")
        #expect(read.isActive(Instant(seconds: 0)))
    }

    private static func feed(_ alert: [UInt8], version: String = "2.0") -> [UInt8] {
        var header = ProtobufWriter()
        header.add(1, bytes: version.utf8)
        var entity = ProtobufWriter()
        entity.add(1, bytes: "a".utf8)
        entity.add(5, bytes: alert)
        var feed = ProtobufWriter()
        feed.add(1, bytes: header.bytes)
        feed.add(2, bytes: entity.bytes)
        return feed.bytes
    }

    @Test("another version, a feed without a header and a web page are refused")
    func refusals() {
        func message(_ bytes: [UInt8]) -> String? {
            do throws(FeedFailure) {
                _ = try ServiceAlerts(bytes)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(message([]) == "gtfs-realtime: header is missing")
        #expect(message(Self.feed([], version: "3.0"))?.contains("of version 3.0") == true)
        #expect(message(Array("<html>not found</html>".utf8)) != nil)
        #expect(message(Self.feed([0x0A])) != nil)
    }

    @Test("damaged feeds give an error or a part, never a trap")
    func fuzz() throws {
        let bytes = try FeedSample.bytes(Self.sample)
        for copy in FeedSample.damaged(bytes, seed: 36, count: Effort.instances(2_000)) {
            do throws(FeedFailure) {
                _ = try ServiceAlerts(copy)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}
