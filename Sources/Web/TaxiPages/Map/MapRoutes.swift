import CityData
import Crypto
import Encoding
import Geo
import HTTPTypes
import Localization
import Markup
import TripPlanning
package import WebCore

/// The map's tiles, its still pictures and the interactive library.
package struct MapPages: TaxiPageModule {
    /// The services and settings that all taxi pages share.
    package let environment: TaxiEnvironment
    private let tiles = TileCache()

    /// Creates the map routes of a site.
    package init(_ environment: TaxiEnvironment) {
        self.environment = environment
    }

    /// The routes for tiles, still pictures and the library.
    package var routes: [Route] {
        [
            .get("/tiles/{zoom}/{x}/{name}", as: "map.tile", for: .anonymous, tile)
                .taking([
                    .path("zoom", .number(0...999_999_999), "The zoom level."),
                    .path("x", .number(0...999_999_999), "The column of the tile."),
                    .path("name", .text(20), "The row of the tile, with the ending .svg."),
                ])
                .answering(.picture),
            .get("/map.svg", as: "map.svg", for: .anonymous, stillMap)
                .taking([
                    .query("bbox", .text(120), "West, south, east and north in degrees.").explained,
                    .query(
                        "point",
                        .several(.text(120), 51),
                        "The longitude and latitude of a mark."
                    ).explained,
                    .query("width", .text(20), "The width in pixels.").explained,
                    .query("height", .text(20), "The height in pixels.").explained,
                ])
                .answering(.picture),
            .get(
                "/places/suggestions.json",
                as: "places.suggestions.json",
                for: .anonymous,
                suggestPlaces
            )
            .answering(.json),
            .get("/places/address.json", as: "places.address.json", for: .anonymous) {
                describePosition($0)
            }
            .answering(.json),
            .get("/assets/leaflet/{hash}/{name}", as: "assets.leaflet", for: .anonymous) {
                context in
                try leafletFile(context) { $0.file(named: $1) }
            }
            .taking([
                .path("hash", .text(64), "The version of the file."),
                .path("name", .text(100), "The name of the file."),
            ])
            .answering(.file("*/*")),
            .get(
                "/assets/leaflet/{hash}/images/{name}",
                as: "assets.leaflet.image",
                for: .anonymous
            ) { context in
                try leafletFile(context) { $0.image(named: $1) }
            }
            .taking([
                .path("hash", .text(64), "The version of the file."),
                .path("name", .text(100), "The name of the file."),
            ])
            .answering(.file("*/*")),
        ]
    }

    /// Browsers cache a tile for a day and then revalidate it.
    private static let tileAge = "public, max-age=86400"

    /// Responds with a map tile, which is empty outside the city's data.
    private func tile(_ context: RequestContext) async throws -> Response {
        guard let zoom = Self.number(context.parameters["zoom"] ?? ""),
            let x = Self.number(context.parameters["x"] ?? ""),
            let name = context.parameters["name"], name.hasSuffix(".svg"),
            let y = Self.number(String(name.dropLast(4)))
        else { throw Failure.notFound }
        let cities = environment.cities.current
        let map = cities.map
        guard let frame = MapFrame(zoom: zoom, x: x, y: y), !map.isBlank(frame) else {
            return Self.svg(CityMap.emptyTile, age: Self.tileAge)
        }
        // Drawing takes long, so give other requests on this thread a turn first.
        await Task.yield()
        let tile = tiles.tile(TileCache.Key(zoom: zoom, x: x, y: y, epoch: cities.epoch)) {
            let bytes = map.tile(frame)
            let tag = SHA256.hash(data: bytes).prefix(8).hex
            let compressed = Gzip.compressed(bytes, level: 6) ?? []
            return TileCache.Tile(compressed: compressed, tag: "\"\(tag)\"")
        }
        var headers: HTTPFields = [.cacheControl: Self.tileAge, .eTag: tile.tag]
        if context.headers[.ifNoneMatch]?.contains(tile.tag) == true {
            return Response(.notModified, headers: headers)
        }
        headers[.vary] = "Accept-Encoding"
        // Few clients do not support gzip. Their tiles are drawn again, because only compressed
        // ones are cached.
        guard context.takesGzip, !tile.compressed.isEmpty else {
            return Response(type: "image/svg+xml", bytes: map.tile(frame), headers: headers)
        }
        headers[.contentEncoding] = "gzip"
        return Response(type: "image/svg+xml", bytes: tile.compressed, headers: headers)
    }

    /// Parses a tile number of a few digits.
    private static func number(_ text: String) -> Int? {
        let isPlain =
            (1...9).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isPlain ? Int(text) : nil
    }

    /// Responds with a still picture.
    ///
    /// The query parameter `bbox` is west, south, east, north; `point` is longitude, latitude and
    /// may be repeated; `width` and `height` are in pixels.
    private func stillMap(_ context: RequestContext) async throws -> Response {
        var box: BoundingBox?
        if let text = context.query["bbox"] {
            let places = try Self.places(text)
            guard places.count == 2 else { throw Failure.badRequest }
            box = BoundingBox(around: places)
        }
        let points = context.query.all("point")
        guard points.count <= Self.mostPoints else { throw Failure.badRequest }
        let overlays = try points.flatMap { try Self.places($0) }.map {
            MapPicture.Overlay(.point($0))
        }
        let picture = MapPicture(
            of: box,
            pixelsWide: try Self.pixels(context.query["width"]) ?? 640,
            pixelsHigh: try Self.pixels(context.query["height"]) ?? 400,
            overlays: overlays,
            title: context.say(MapTexts.map)
        )
        await Task.yield()
        return Self.svg(map.drawing(picture), age: "public, max-age=3600")
    }

    /// The maximum number of points.
    ///
    /// More could not be told apart.
    private static let mostPoints = 50
    /// The maximum width and height.
    ///
    /// Larger pictures cost too much for anonymous requests.
    private static let mostPixels = 800

    private static func pixels(_ text: String?) throws -> Int? {
        guard let text else { return nil }
        guard let number = number(text) else { throw Failure.badRequest }
        return min(mostPixels, number)
    }

    /// Parses alternating longitudes and latitudes, in the order of GeoJSON.
    private static func places(_ text: String) throws -> [Coordinate] {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.utf8.count < 30 ? Double($0.trimmingBlanks()) : nil
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

    private static func svg(_ bytes: [UInt8], age: String) -> Response {
        Response(type: "image/svg+xml", bytes: bytes, headers: [.cacheControl: age])
    }

    /// Responds with a file of the library, with the same caching as the site's own assets.
    private func leafletFile(
        _ context: RequestContext,
        _ find: (Leaflet, String) -> Asset?
    ) throws -> Response {
        guard let leaflet = environment.leaflet, let name = context.parameters["name"],
            let asset = find(leaflet, name)
        else { throw Failure.notFound }
        return Response(asset, isCurrent: context.parameters["hash"] == leaflet.hash, for: context)
    }
}
