package import Chronology
package import Geo

extension SharingSystem {
    /// Where vehicles may be ridden and left.
    package struct Geofencing: Hashable, Sendable {
        /// The zones; where several hold, the first one counts.
        package var zones: [Zone] = []
        /// What holds outside of all zones; empty if the system does not say so.
        package var globalRules: [Rule] = []

        /// Creates geofencing from zones and the rules outside of them; by default, without either.
        package init(zones: [Zone] = [], globalRules: [Rule] = []) {
            self.zones = zones
            self.globalRules = globalRules
        }

        /// An area with rules.
        package struct Zone: Hashable, Sendable {
            /// The name of the zone; nil if it has none.
            package let name: LocalizedText?
            /// The area in which the rules apply.
            package let area: MultiPolygon
            /// When the rules apply.
            package let span: Span
            /// The rules; the first one for a vehicle type counts.
            package let rules: [Rule]
        }

        /// What riders may do.
        package struct Rule: Hashable, Sendable {
            /// The vehicle types that it is about; empty for all.
            package let typeIDs: [String]
            /// Whether a rental may begin here.
            package let canStart: Bool
            /// Whether a rental may end here.
            package let canEnd: Bool
            /// Whether one may ride through.
            package let canRideThrough: Bool
            /// The greatest speed in kilometres per hour; nil if there is no other than usual.
            package let maximumSpeed: Double?
            /// Whether a rental may end only at a station.
            package let endsAtStation: Bool

            /// Whether the rule is about a type of vehicle; nil means a vehicle without a type.
            package func applies(to typeID: String?) -> Bool {
                typeIDs.isEmpty || typeID.map(typeIDs.contains) ?? false
            }
        }

        /// The rule for a vehicle at a place; nil if there is none.
        ///
        /// Zones that come first take precedence, then the rules within a zone that come first.
        ///
        /// - Complexity: O(n) for the corners of all zones.
        package func rule(for typeID: String?, at place: Coordinate, _ moment: Instant) -> Rule? {
            for zone in zones where zone.span.contains(moment) && zone.area.contains(place) {
                if let rule = zone.rules.first(where: { $0.applies(to: typeID) }) { return rule }
            }
            return globalRules.first { $0.applies(to: typeID) }
        }
    }
}

extension SharingSystem.Geofencing.Zone {
    init(_ feature: FeedFields) throws(FeedTrouble) {
        let geometry = try feature.required("geometry", feature["geometry"])
        area = try geometry.area(in: "geometry")
        let properties = try feature.fields("properties") ?? FeedFields(JSONObject())
        do {
            name = try properties.localized("name")
            span = SharingSystem.Span(
                start: try properties.instant("start"),
                end: try properties.instant("end")
            )
            rules = try properties.each("rules", SharingSystem.Geofencing.Rule.init)
        } catch {
            throw error.within("properties")
        }
    }
}

extension SharingSystem.Geofencing.Rule {
    init(_ fields: FeedFields) throws(FeedTrouble) {
        // Version 3.0 has the name in the plural, and splits the permission to ride in two.
        typeIDs = try fields.texts(
            fields["vehicle_type_ids"] == nil ? "vehicle_type_id" : "vehicle_type_ids"
        )
        let canRide = try fields.flag("ride_allowed")
        let start = try fields.flag("ride_start_allowed") ?? canRide
        canStart = try fields.required("ride_start_allowed", start)
        canEnd = try fields.required(
            "ride_end_allowed",
            try fields.flag("ride_end_allowed") ?? canRide
        )
        canRideThrough = try fields.required(
            "ride_through_allowed",
            try fields.flag("ride_through_allowed")
        )
        maximumSpeed = try fields.amount("maximum_speed_kph")
        endsAtStation = try fields.flag("station_parking") ?? false
    }
}

extension JSONValue {
    /// The area that a GeoJSON geometry covers.
    func area(in name: String) throws(FeedTrouble) -> MultiPolygon {
        let geometry: GeoJSON.Geometry?
        do {
            geometry = try GeoJSON.geometry(self)
        } catch {
            throw FeedTrouble(name, .badGeometry(error))
        }
        guard let area = geometry?.area else { throw FeedTrouble(name, .expected("an area")) }
        return area
    }
}
