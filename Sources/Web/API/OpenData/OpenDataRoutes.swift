import Chronology
import Dispatching
import Fares
import Foundation
import Geo
import HTTPTypes
import Localization
import Markup
import OpenData
import Taxi
import TaxiPages
import WebCore
import Zones

/// What the city publishes about its taxis, for everybody and without a key (decision 0061).
extension CityAPI {
    /// The routes of open data.
    var openDataRoutes: [Route] {
        [
            .get("/gofs/gofs.json", as: "gofs.discovery", for: .anonymous) { context in
                Self.published(discovery(context), GOFSFeed.lifetime)
            }
            .answering(.json),
            .get("/gofs/gofs_versions.json", as: "gofs.versions", for: .anonymous) { context in
                let own: JSONValue = [
                    "version": GOFSFeed.version,
                    "url": .text(full(Address("/gofs/gofs.json"), context)),
                ]
                let file = GOFSFeed.file(["versions": [own]], at: context.now)
                return Self.published(file, GOFSFeed.lifetime)
            }
            .answering(.json),
            .get("/gofs/{language}/{file}", as: "gofs.file", for: .anonymous, sendFile)
                .taking([
                    .path(
                        "language",
                        .choice(Language.allCases.map(\.rawValue)),
                        "The language of names."
                    ),
                    .path(
                        "file",
                        .choice(GOFSFeed.File.allCases.map { $0.rawValue + ".json" }),
                        "The file of the feed."
                    ),
                ])
                .answering(.json),
            .get("/gofs/{language}/wait_time", as: "gofs.waits", for: .anonymous, sendWaits)
                .taking([
                    .path(
                        "language",
                        .choice(Language.allCases.map(\.rawValue)),
                        "The language of names."
                    ),
                    .query("pickup_lat", .latitude, "Where the ride begins, in degrees."),
                    .query("pickup_lon", .longitude, "Where the ride begins, in degrees."),
                    .query("drop_off_lat", .latitude, "Where the ride ends, in degrees."),
                    .query("drop_off_lon", .longitude, "Where the ride ends, in degrees."),
                    .query("brand_id", .text(200), "The brands, separated by commas."),
                ])
                .answering(.json),
            .get("/open-data/zones.geojson", as: "open.zones", for: .anonymous) { _ in
                let zones = taxi.zonesInForce.map { features($0) } ?? []
                let json: JSONValue = [
                    "type": "FeatureCollection", "features": .list(zones),
                ]
                return Self.published(json, GOFSFeed.lifetime, type: "application/geo+json")
            }
            .answering(.file("application/geo+json")),
            .get("/open-data/statistics.csv", as: "open.statistics", for: .anonymous) { context in
                try await sendOpenStatistics(context)
            }
            .taking([
                .query("first", .date, "The first day."),
                .query("last", .date, "The last day, at most 30 after the first."),
            ])
            .answering(.file("text/csv")),
        ]
    }

    /// A file that other sites may read, and caches keep for some seconds.
    static func published(
        _ json: JSONValue,
        _ seconds: Int64,
        type: String = "application/json"
    ) -> Response {
        published(Array(json.json.utf8), seconds, type: type)
    }

    /// A file that other sites may read, and caches keep for some seconds.
    static func published(_ bytes: [UInt8], _ seconds: Int64, type: String) -> Response {
        var response = Response(type: type, bytes: bytes)
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.cacheControl] = "public, max-age=\(seconds)"
        return response
    }

    private func discovery(_ context: RequestContext) -> JSONValue {
        let languages = Language.allCases.map { language -> JSONObject.Member in
            let names = GOFSFeed.File.allCases.map { ($0.rawValue, $0.rawValue + ".json") }
            let feeds = (names + [(GOFSFeed.waits, GOFSFeed.waits)]).map { name, file in
                let address = Address("/gofs", language.rawValue, file)
                return ["name": .text(name), "url": .text(full(address, context))] as JSONValue
            }
            return .init(language.rawValue, ["feeds": .list(feeds)])
        }
        return GOFSFeed.file(.object(JSONObject(languages)), at: context.now)
    }

    private func feed(_ context: RequestContext) async throws -> GOFSFeed {
        let language = context.parameters["language"].flatMap(Language.init(rawValue:))
        let now = try await taxi.now(for: nil)
        let kinds = try await taxi.dispatch.read { state in
            Set(state.taxis.lazy.filter { !$0.isRemoved }.map(\.capacity))
        }
        let today = web.day(context.now)
        return GOFSFeed(
            name: web.settings.name,
            language: language ?? .english,
            timeZone: web.settings.timeZone.identifier,
            phone: settings.phone,
            address: full(Address("/"), context),
            policy: now.policy,
            isSuspended: now.suspension != nil,
            zones: taxi.zonesInForce?.zones ?? [],
            tariff: taxi.tariffs.tariff(on: today),
            capacities: kinds.sorted { first, second in
                (first.seats, first.wheelchair ? 1 : 0) < (second.seats, second.wheelchair ? 1 : 0)
            },
            today: today,
            now: context.now
        )
    }

    private func sendFile(_ context: RequestContext) async throws -> Response {
        let name = String((context.parameters["file"] ?? "").dropLast(".json".count))
        guard let file = GOFSFeed.File(rawValue: name) else { throw Failure.notFound }
        let feed = try await feed(context)
        // A feed without a zone says nothing; the standard wants at least one rule.
        guard !feed.zones.isEmpty else { throw Failure.notFound }
        return Self.published(feed.json(file), GOFSFeed.lifetime)
    }

    /// How long a wait stays true, in seconds.
    private static let waitLifetime: Int64 = 30

    /// The wait at a place, in whole minutes: more would tell where the first taxi stands.
    private func sendWaits(_ context: RequestContext) async throws -> Response {
        guard let latitude = context.query["pickup_lat"].flatMap({ Double($0) }),
            let longitude = context.query["pickup_lon"].flatMap({ Double($0) }),
            let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
        else { throw Failure.badRequest }
        let feed = try await feed(context)
        var minutes: Int64?
        if !feed.isSuspended {
            let order = RideOrder(PassengerNumber(rawValue: 0), from: place)
            minutes = try await taxi.quote(order).waitSeconds.map { max(1, ($0 + 59) / 60) }
        }
        let asked = context.query["brand_id"]?.split(separator: ",").map(String.init)
        let brands = feed.brandNames.filter { asked?.contains($0) ?? true }
        let waits = minutes.map { minutes in
            brands.map { brand -> JSONValue in
                ["brand_id": .text(brand), "wait_time": .integer(minutes * 60)]
            }
        }
        let file = GOFSFeed.file(
            ["wait_times": .list(waits ?? [])],
            at: context.now,
            lifetime: Self.waitLifetime
        )
        return Self.published(file, Self.waitLifetime)
    }
}
