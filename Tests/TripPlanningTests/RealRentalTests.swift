import Chronology
import Foundation
import Geo
import LiveFeeds
import OpenData
import TestSupport
import Testing

@testable import TripPlanning

/// Vehicles and places of return in real feeds.
@Suite(
    "Shared vehicles of real feeds",
    .enabled(if: RealData.has("gbfs/divvy-chicago-v2.3/gbfs.json"), RealData.advice)
)
struct RealRentalTests {
    private static let places = ["divvy-chicago-v2.3", "otp-samples/lillestrombysykkel"]

    private static func system(_ name: String) throws -> LiveSystem {
        let folder = RealData.folder.appendingPathComponent("gbfs/\(name)")
        var system = SharingSystem()
        var known: Instant?
        for file in GBFSFile.allCases {
            let names = [file.rawValue] + (file == .vehicleStatus ? ["free_bike_status"] : [])
            for name in names {
                let url = folder.appendingPathComponent("\(name).json")
                guard let data = try? Data(contentsOf: url) else { continue }
                let reading = try system.read([UInt8](data), as: file)
                if file == .stationStatus { known = reading.header.lastUpdated }
            }
        }
        return LiveSystem(feed: name, system: system, knownSince: known)
    }

    @Test("what is rented is there, and what is returned has a dock elsewhere", arguments: places)
    func stations(name: String) throws {
        let live = try Self.system(name)
        let moment = try #require(live.knownSince)
        var pairs = 0
        for station in live.system.stations.prefix(200) {
            let places = RentalPlaces(
                live: live,
                kind: .bikeshare,
                moment: moment,
                zone: .utc,
                count: 1
            )
            let pickups = places.pickups(near: station.place)
            #expect(pickups.count <= RentalPlaces.placeLimit)
            for pickup in pickups {
                #expect(pickup.place.distanceMetres(to: station.place) <= 1_000)
                if let id = pickup.station?.id {
                    let state = try #require(live.system.stationStates[id])
                    #expect(state.isRenting && state.vehicles > 0)
                }
                for end in places.returns(of: pickup, near: station.place) {
                    let back = try #require(end.station, "nothing says where one may leave it")
                    #expect(back.id != pickup.station?.id)
                    let state = try #require(live.system.stationStates[back.id])
                    #expect(state.isReturning && state.docks ?? 1 > 0)
                    pairs += 1
                }
            }
        }
        #expect(pairs > 0)
    }
}
