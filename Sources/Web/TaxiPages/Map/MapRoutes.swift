import CityData
import Crypto
import Encoding
import Geo
import HTTPTypes
import Localization
import Markup
package import WebCore

/// The map: its tiles, still pictures of it, and the library that moves it.
package struct MapPages: TaxiPageModule {
    /// What it shares with the other pages about taxis.
    package let environment: TaxiEnvironment
    private let tiles = TileCache()

    /// The pages of a site.
    package init(_ environment: TaxiEnvironment) {
        self.environment = environment
    }

    /// Its pages and actions.
    package var routes: [Route] {
        [
            .get("/tiles/{zoom}/{x}/{name}", for: .anonymous, tile),
            .get("/map.svg", for: .anonymous, stillMap),
            .get("/assets/leaflet/{hash}/{name}", for: .anonymous) { visit in
                try leafletFile(visit) { $0.file(named: $1) }
            },
            .get("/assets/leaflet/{hash}/images/{name}", for: .anonymous) { visit in
                try leafletFile(visit) { $0.image(named: $1) }
            },
        ]
    }

    /// A tile stays for a day; after that the browser asks whether it has changed.
    private static let tileAge = "public, max-age=86400"

    /// A tile of the map, which is an empty one wherever there is nothing to draw.
    private func tile(_ visit: Visit) async throws -> Reply {
        guard let zoom = Self.number(visit.parameters["zoom"] ?? ""),
            let x = Self.number(visit.parameters["x"] ?? ""),
            let name = visit.parameters["name"], name.hasSuffix(".svg"),
            let y = Self.number(String(name.dropLast(4)))
        else { throw Failure.notFound }
        guard let frame = MapFrame(zoom: zoom, x: x, y: y), !map.isBlank(frame) else {
            return Self.svg(CityMap.emptyTile, age: Self.tileAge)
        }
        // Drawing takes long; the connection's thread has others to serve.
        await Task.yield()
        let tile = tiles.tile(TileCache.Key(zoom: zoom, x: x, y: y)) {
            let bytes = map.tile(frame)
            let tag = SHA256.hash(data: bytes).prefix(8).hex
            let compressed = Gzip.compressed(bytes, level: 6) ?? []
            return TileCache.Tile(compressed: compressed, tag: "\"\(tag)\"")
        }
        var headers: HTTPFields = [.cacheControl: Self.tileAge, .eTag: tile.tag]
        if visit.headers[.ifNoneMatch]?.contains(tile.tag) == true {
            return Reply(.notModified, headers: headers)
        }
        headers[.vary] = "Accept-Encoding"
        // Drawn again for the few that cannot read what is kept.
        guard visit.takesGzip, !tile.compressed.isEmpty else {
            return Reply(type: "image/svg+xml", bytes: map.tile(frame), headers: headers)
        }
        headers[.contentEncoding] = "gzip"
        return Reply(type: "image/svg+xml", bytes: tile.compressed, headers: headers)
    }

    /// The number of a tile: digits only, and few.
    private static func number(_ text: String) -> Int? {
        let isPlain =
            (1...9).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isPlain ? Int(text) : nil
    }

    /// A still picture: `bbox` is west, south, east, north; `point` is longitude, latitude, and
    /// may come again; `width` and `height` are in pixels.
    private func stillMap(_ visit: Visit) async throws -> Reply {
        var box: BoundingBox?
        if let text = visit.query["bbox"] {
            let places = try Self.places(text)
            guard places.count == 2 else { throw Failure.badRequest }
            box = BoundingBox(around: places)
        }
        let points = visit.query.all("point")
        guard points.count <= Self.mostPoints else { throw Failure.badRequest }
        let overlays = try points.flatMap { try Self.places($0) }.map {
            MapPicture.Overlay(.point($0))
        }
        let picture = MapPicture(
            of: box,
            pixelsWide: try Self.pixels(visit.query["width"]) ?? 640,
            pixelsHigh: try Self.pixels(visit.query["height"]) ?? 400,
            overlays: overlays,
            title: visit.say(MapTexts.map)
        )
        await Task.yield()
        return Self.svg(map.drawing(picture), age: "public, max-age=3600")
    }

    /// More points would not be told apart.
    private static let mostPoints = 50
    /// A larger picture costs more than whoever is not signed in may ask for.
    private static let mostPixels = 800

    private static func pixels(_ text: String?) throws -> Int? {
        guard let text else { return nil }
        guard let number = number(text) else { throw Failure.badRequest }
        return min(mostPixels, number)
    }

    /// Places from longitudes and latitudes in turn, as GeoJSON has them.
    private static func places(_ text: String) throws -> [Coordinate] {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.utf8.count < 30 ? Double($0.trimmed) : nil
        }
        guard numbers.count <= 4, numbers.count.isMultiple(of: 2) else { throw Failure.badRequest }
        return try stride(from: 0, to: numbers.count, by: 2).map { index in
            guard let longitude = numbers[index], let latitude = numbers[index + 1],
                let place = Coordinate(
                    latitudeDegrees: latitude,
                    longitudeDegrees: longitude
                )
            else { throw Failure.badRequest }
            return place
        }
    }

    private static func svg(_ bytes: [UInt8], age: String) -> Reply {
        Reply(type: "image/svg+xml", bytes: bytes, headers: [.cacheControl: age])
    }

    /// A file of the library, under the same rules as our own assets.
    private func leafletFile(
        _ visit: Visit,
        _ find: (Leaflet, String) -> Asset?
    ) throws -> Reply {
        guard let leaflet = environment.leaflet, let name = visit.parameters["name"],
            let asset = find(leaflet, name)
        else { throw Failure.notFound }
        return Reply(asset, isCurrent: visit.parameters["hash"] == leaflet.hash, for: visit)
    }
}
