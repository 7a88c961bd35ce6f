import CityData
import Geo
import Testing

/// V34, V35: the city draws where its means of travel go, and where nobody may go.
@Suite("Areas of coverage")
struct CoverageAreasTests {
    /// A feature that is a square of degrees.
    private static func feature(_ properties: String, _ from: Double, _ to: Double) -> String {
        """
        {"type": "Feature", "properties": {\(properties)}, "geometry": {"type": "Polygon",
        "coordinates": [[[\(from),\(from)],[\(to),\(from)],[\(to),\(to)],[\(from),\(to)],
        [\(from),\(from)]]]}}
        """
    }

    private static func areas(_ features: String...) throws(CoverageFailure) -> CoverageAreas {
        let list = features.joined(separator: ",")
        let text = "{\"type\": \"FeatureCollection\", \"features\": [\(list)]}"
        return try CoverageAreas(Array(text.utf8), file: "areas.geojson")
    }

    private static func verdict(
        _ areas: CoverageAreas,
        _ degrees: Double
    ) throws
        -> CoverageAreas.Verdict?
    {
        areas.verdict(
            at: try #require(
                Coordinate(latitudeDegrees: degrees, longitudeDegrees: degrees + 0.001)
            )
        )
    }

    @Test("V34: the later of two areas counts, and outside of all nothing is known")
    func coverage() throws {
        let areas = try Self.areas(
            Self.feature("\"coverage\": \"fully\"", 1, 9),
            Self.feature("\"coverage\": \"partly\"", 2, 4),
            Self.feature("\"coverage\": \"uncovered\", \"name\": null", 3, 5)
        )
        #expect(try Self.verdict(areas, 1.5) == .covered(.fully))
        #expect(try Self.verdict(areas, 2.5) == .covered(.partly))
        #expect(try Self.verdict(areas, 3.5) == .covered(.uncovered))
        #expect(try Self.verdict(areas, 4.5) == .covered(.uncovered))
        #expect(try Self.verdict(areas, 8) == .covered(.fully))
        #expect(try Self.verdict(areas, 10) == nil)
    }

    @Test("V35: a prohibited place is so whatever else is drawn there")
    func prohibited() throws {
        let areas = try Self.areas(
            Self.feature("\"prohibited\": true, \"name\": \"Barracks\"", 3, 4),
            Self.feature("\"coverage\": \"well\", \"prohibited\": false", 1, 9)
        )
        #expect(try Self.verdict(areas, 3.5) == .prohibited(name: "Barracks"))
        #expect(try Self.verdict(areas, 5) == .covered(.well))
    }

    @Test("what is wrong with a file is named with its feature")
    func failures() {
        func text(_ features: String...) -> String? {
            let list = features.joined(separator: ",")
            let text = "{\"type\": \"FeatureCollection\", \"features\": [\(list)]}"
            do throws(CoverageFailure) {
                _ = try CoverageAreas(Array(text.utf8), file: "areas.geojson")
                return nil
            } catch {
                return error.description
            }
        }
        let good = Self.feature("\"coverage\": \"well\"", 1, 2)
        #expect(text(good) == nil && text() == nil)
        #expect(
            text(good, Self.feature("\"coverage\": \"good\"", 1, 2))
                == "areas.geojson: coverage is one of uncovered, partly, well, fully (feature 1)"
        )
        #expect(
            text(Self.feature("\"prohibited\": \"yes\"", 1, 2))
                == "areas.geojson: prohibited is true or false (feature 0)"
        )
        #expect(
            text(Self.feature("\"name\": \"X\"", 1, 2))
                == "areas.geojson: has neither coverage nor prohibited (feature 0)"
        )
        let point =
            "{\"type\": \"Feature\", \"properties\": {\"coverage\": \"well\"}, "
            + "\"geometry\": {\"type\": \"Point\", \"coordinates\": [1, 2]}}"
        #expect(text(point) == "areas.geojson: is no polygon (feature 0)")
        #expect(text("{")?.hasPrefix("areas.geojson: ") == true)
    }
}
