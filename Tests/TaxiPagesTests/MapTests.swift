import Chronology
import Columns
import Foundation
import Geo
import HTTPTypes
import Localization
import Logging
import Markup
import OpenData
import StorageTestSupport
import Testing
import WebTestSupport

@testable import CityData
@testable import TaxiPages
@testable import WebApp
@testable import WebCore

@Suite("The map", .serialized)
struct MapTests {
    /// A folder like that of libjs-leaflet, with a file beside it that must not be served.
    private static func library(in folder: String) throws -> String {
        let library = folder + "/leaflet"
        try FileManager.default.createDirectory(
            atPath: library + "/images",
            withIntermediateDirectories: true
        )
        let script = "\"use strict\";" + String(repeating: "// the library\n", count: 200)
        try script.write(toFile: library + "/leaflet.min.js", atomically: true, encoding: .utf8)
        try ".map{}".write(toFile: library + "/leaflet.css", atomically: true, encoding: .utf8)
        try "png".write(toFile: library + "/images/layers.png", atomically: true, encoding: .utf8)
        try "no".write(toFile: library + "/images/other.png", atomically: true, encoding: .utf8)
        try "no".write(toFile: library + "/secret", atomically: true, encoding: .utf8)
        try "no".write(toFile: folder + "/secret", atomically: true, encoding: .utf8)
        return library
    }

    @Test(
        "a taxi has the colour of the legend on the map (issue 30)",
        arguments: ["free", "offered", "coming", "there", "aboard", "off", "lost", "outside"]
    )
    func colours(stand: String) throws {
        let assets = Assets()
        let style = String(decoding: assets.style.bytes, as: UTF8.self)
        let map = String(decoding: assets.mapStyle.bytes, as: UTF8.self)
        func colours(_ css: String, _ selector: String) -> Set<String> {
            let rules = css.split(separator: "}").filter { rule in
                rule.prefix { $0 != "{" }.split(separator: ",").contains {
                    $0.split(separator: "\n").last.map(String.init)?
                        .trimmingCharacters(in: .whitespaces) == selector
                }
            }
            return Set(
                rules.flatMap { $0.matches(of: /var\(--(green|amber|primary|red|muted)\)/) }
                    .map { String($0.1) }
            )
        }
        let legend = colours(style, ".stand.\(stand)").union(
            colours(style, ".stand.\(stand)").isEmpty ? ["muted"] : []
        )
        // The usual colour of a point is the primary one.
        let own = colours(map, ".point.\(stand)::before")
        #expect(legend.isSuperset(of: own.isEmpty ? ["primary"] : own), "\(legend), \(own)")
    }

    @Test("without a city file every tile is an empty one, and none is an error (issue 4)")
    func empty() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            for path in ["/tiles/8/134/91.svg", "/tiles/0/0/0.svg", "/tiles/99/0/0.svg"] {
                let answer = try await visitor.get(path)
                #expect(answer.status == 200)
                #expect(answer.header("content-type") == "image/svg+xml")
                #expect(answer.text == String(decoding: CityMap.emptyTile, as: UTF8.self))
                #expect(answer.header("cache-control") == "public, max-age=86400")
                #expect(answer.header("set-cookie") == nil)
            }
        }
    }

    @Test(
        "what is no number of a tile is not found",
        arguments: [
            "/tiles/a/0/0.svg", "/tiles/8/-1/0.svg", "/tiles/8/0/0", "/tiles/8/0/0.png",
            "/tiles/8/0/+1.svg", "/tiles/8/99999999999999999999/0.svg", "/tiles/8/0/.svg",
            "/tiles/8/0/..%2F..%2Fetc%2Fpasswd.svg", "/tiles/8/1e3/0.svg", "/tiles/8/0/%00.svg",
        ]
    )
    func hostile(path: String) async throws {
        try await withSite { site in
            let answer = try await site.visitor().get(path)
            #expect(answer.status == 404)
        }
    }

    @Test("a tile is compressed, kept for a day, and not sent again unless it has changed")
    func tile() async throws {
        try await withTemporaryFolder { folder in
            let city = try Self.city(in: folder)
            try await withSite(["city.file": city]) { site in
                let visitor = site.visitor()
                let path = "/tiles/14/8610/5869.svg"
                let plain = try await visitor.get(path)
                #expect(plain.status == 200 && plain.text.hasSuffix("</svg>"))
                #expect(plain.text != String(decoding: CityMap.emptyTile, as: UTF8.self))
                let zipped = try await visitor.get(path, headers: ["accept-encoding": "gzip"])
                #expect(zipped.header("content-encoding") == "gzip")
                #expect(zipped.header("vary") == "Accept-Encoding")
                let tag = try #require(zipped.header("etag"))
                #expect(plain.header("etag") == tag)
                let again = try await visitor.get(path, headers: ["if-none-match": tag])
                #expect(again.status == 304 && again.text.isEmpty)
                let other = try await visitor.get(path, headers: ["if-none-match": "\"0\""])
                #expect(other.status == 200)
            }
        }
    }

    /// A city file with a lake around the requested tile.
    private static func city(in folder: String) throws -> String {
        var osm = OSMWriter()
        let corners: [(Int64, Int32, Int32)] = [
            (1, 455_500_000, 90_000_000), (2, 455_500_000, 93_000_000),
            (3, 453_500_000, 93_000_000), (4, 453_500_000, 90_000_000),
        ]
        for (id, latitude, longitude) in corners {
            osm.add(node: id, at: Coordinate(latitude: latitude, longitude: longitude), tags: [])
        }
        osm.add(way: 1, nodes: [1, 2, 3, 4, 1], tags: [OSMTag("natural", "water")])
        var file = SectionWriter()
        try MapBuilder.add(osm: OSMFile(name: "lake", bytes: osm.finish()), to: &file)
        let path = folder + "/lake.city"
        try CityFile.write(file, to: path)
        return path
    }

    private static let context = RequestContext(
        method: .get,
        path: "/",
        query: Form(),
        host: "",
        headers: [:],
        address: "",
        now: Moment(milliseconds: 0),
        logger: Logger(label: "test")
    )

    @Test("the library is served from its folder under a name that changes with it")
    func leaflet() async throws {
        try await withTemporaryFolder { folder in
            let library = try Self.library(in: folder)
            try await withSite(["leaflet.folder": library]) { site in
                let leaflet = try #require(Leaflet(folder: library))
                let visitor = site.visitor()
                let base = "/assets/leaflet/\(leaflet.hash)/"
                let script = try await visitor.get(
                    base + "leaflet.js",
                    headers: ["accept-encoding": "gzip"]
                )
                #expect(script.status == 200)
                #expect(script.header("content-type") == "text/javascript; charset=utf-8")
                #expect(script.header("content-encoding") == "gzip")
                #expect(script.header("cache-control") == "public, max-age=31536000, immutable")
                let code = try #require(leaflet.file(named: "leaflet.js")).bytes
                let start = "//# allFunctionsCalledOnLoad\n\"use strict\";"
                #expect(String(decoding: code, as: UTF8.self).hasPrefix(start))
                let style = try await visitor.get(base + "leaflet.css")
                #expect(style.text == ".map{}")
                #expect(try await visitor.get(base + "images/layers.png").text == "png")
                let old = try await visitor.get("/assets/leaflet/0/leaflet.css")
                #expect(old.header("cache-control") == "no-cache")
                for name in [
                    "secret", "..%2Fsecret", "../secret", "images/other.png",
                    "images/..%2Fsecret", "images/%2e%2e%2fsecret", "images/marker-icon.png",
                    "leaflet.min.js", "..%5Csecret", "%00leaflet.css",
                ] {
                    #expect(try await visitor.get(base + name).status == 404, "\(name)")
                }
            }
        }
    }

    @Test("only pages with a map load the library, and without it none does")
    func head() async throws {
        try await withTemporaryFolder { folder in
            let library = try Self.library(in: folder)
            for place in [library, folder + "/nowhere"] {
                try await withSite(["leaflet.folder": place]) { served in
                    let site = Site(served.installation)
                    let page = try await served.visitor().get("/")
                    #expect(!page.text.contains("leaflet") && !page.text.contains("map.js"))
                    let map: HTML = "<div data-map=\"zones\"></div>"
                    let title = Text(same: "")
                    let head = site.features.map.mapHead(Page(title, body: map), Self.context)
                    #expect((head != nil) == (place == library))
                    let none = Page(title, body: "<p>data-map</p>")
                    #expect(site.features.map.mapHead(none, Self.context) == nil)
                    // A map of its own beside the text counts as well.
                    var beside = none
                    beside.map = map
                    #expect(site.features.map.mapHead(beside, Self.context) == head)
                    if let head {
                        #expect(head.text.contains("/assets/leaflet/"))
                        #expect(head.text.contains("data-recentre="))
                        #expect(!head.text.contains("zones.js") && !head.text.contains("pin.js"))
                        // Only the editor needs its script.
                        let form: HTML = "<form data-zone-editor></form>\(map)"
                        let editor = site.features.map.mapHead(
                            Page(title, body: form),
                            Self.context
                        )
                        #expect(editor?.text.contains("data-undo=\"Undo\"") == true)
                    }
                }
            }
        }
    }

    @Test("a still picture is drawn of what is asked for, and what is nonsense is refused")
    func still() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let good = try await visitor.get(
                "/map.svg?bbox=9.1,45.4,9.2,45.5&point=9.19,45.46&width=300&height=200"
            )
            #expect(good.status == 200)
            #expect(good.header("content-type") == "image/svg+xml")
            #expect(good.text.contains("<circle") && good.text.contains("OpenStreetMap"))
            #expect(good.text.contains("width=\"300\""))
            let large = try await visitor.get("/map.svg?bbox=9.1,45.4,9.2,45.5&width=99999")
            #expect(large.text.contains("width=\"800\""))
            for query in [
                "bbox=1,2,3", "bbox=1,2", "bbox=a,b,c,d", "bbox=nan,1,2,3", "bbox=1,91,2,92",
                "width=x", "width=-1", "point=9", "bbox=inf,1,2,3", "point=",
                Array(repeating: "point=1,1", count: 51).joined(separator: "&"),
            ] {
                #expect(try await visitor.get("/map.svg?" + query).status == 400, "\(query)")
            }
        }
    }

    @Test("the cache forgets what was not asked for lately, and stays within its limit")
    func cache() {
        let cache = TileCache(limit: 100_000)
        var drawn = 0
        func ask(_ x: Int) {
            _ = cache.tile(TileCache.Key(zoom: 8, x: x, y: 0)) {
                drawn += 1
                return TileCache.Tile(compressed: Array(repeating: 0, count: 800), tag: "")
            }
        }
        for x in 0..<1_000 {
            ask(x)
            // Requested again and again, so it is never rendered a second time.
            ask(0)
        }
        #expect(drawn == 1_000)
        #expect(cache.tileCount <= 100)
        ask(1)
        #expect(drawn == 1_001)
    }
}
