import Taxi
import Testing
import WebApp
package import Zones

/// Zones that tests draw, and what administrators do with them.
package enum ZoneDrawings {
    /// Two zones side by side: west and east of a line through the middle of Milan.
    package static func zones(_ middle: Double = 9.2, east: Double? = nil) -> String {
        func box(_ code: String, _ name: String, _ left: Double, _ right: Double) -> String {
            """
            {"type":"Feature","properties":{"code":"\(code)","name":"\(name)"},"geometry":\
            {"type":"Polygon","coordinates":[[[\(left),45.4],[\(right),45.4],[\(right),45.5],\
            [\(left),45.5],[\(left),45.4]]]}}
            """
        }
        return """
            {"type":"FeatureCollection","features":[\(box("W", "Brera", 9.1, middle)),\
            \(box("E", "Centro", east ?? middle, 9.3))]}
            """
    }

    /// Pastes zones into the import form.
    package static func paste(_ text: String, _ visitor: Visitor) async throws -> Visitor.Answer {
        var form = try await visitor.sheet(on: "/console/zones/import")
        form["text"] = text
        return try await visitor.send(form, to: "/console/zones/import")
    }

    /// Publishes the draft.
    @discardableResult
    package static func publish(_ visitor: Visitor) async throws -> Visitor.Answer {
        var form = try await visitor.sheet(on: "/console/zones/publish")
        form["note"] = "as the council decided"
        return try await visitor.send(form, to: "/console/zones/publish")
    }

    /// The draft of a site's zones.
    package static func draft(_ site: ServedSite) async throws -> ZoneDraft {
        try #require(try await site.installation.taxi.zoneDrafts.work().draft)
    }
}
