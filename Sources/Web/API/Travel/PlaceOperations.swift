import CityData
import Geo
import Identity
import OpenData
import TaxiPages
import WebCore

/// Places by name and by position.
extension CityAPI {
    var placeOperations: [Operation] {
        [
            .get(
                "/api/places",
                as: "api.places.search",
                "Search for places",
                in: .travel,
                for: Self.publicScopes,
                returns: .object([.init("items", .list(.match), "The places, the best first.")])
            ) { call in
                let near: Coordinate? =
                    call["latitude"] == nil && call["longitude"] == nil
                    ? nil : try call.coordinate()
                let found = placeSearch.matches(try call.required("text"), near: near)
                return Answer(["items": .list(found.map { Self.json($0) })])
            }
            .taking([
                InputField.query("text", .text(100), "An address, a stop or another name.")
                    .required,
                .query("latitude", .latitude, "Where the person is, to prefer near places."),
                .query("longitude", .longitude, "Where the person is, to prefer near places."),
            ]),
            .get(
                "/api/address",
                as: "api.places.address",
                "Find the address of a place",
                in: .travel,
                for: Self.publicScopes,
                returns: .place
            ) { call in
                let found = placeSearch.chosen(try call.coordinate())
                return Answer(JSONValue(found.coordinate, name: found.words))
            }
            .taking([.latitude, .longitude])
            .explained("The name is null where no address is near."),
        ]
    }

    private static func json(_ match: AddressMatch) -> JSONValue {
        [
            "name": .text(match.label), "kind": .text("\(match.kind)"),
            "category": .text(match.category),
            "lat": .number(match.coordinate.latitudeDegrees),
            "lon": .number(match.coordinate.longitudeDegrees),
        ]
    }
}

extension Schema {
    fileprivate static let match = Schema.named(
        "Match",
        [
            Member("name", .text, "The name as people write it."),
            Member(
                "kind",
                .choice(AddressMatch.Kind.allCases.map { "\($0)" }),
                "Whether it is a part of town, a street, a stop or another place."
            ),
            Member("category", .text, "The category in OpenStreetMap's terms; may be empty."),
            Member("lat", .number, "Degrees north of the equator."),
            Member("lon", .number, "Degrees east of Greenwich."),
        ]
    )
}
