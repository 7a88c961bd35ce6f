/// A kind of place that people ask for without a name: "a pharmacy", "any supermarket".
///
/// OpenStreetMap has some thousand categories; these are the ones that errands need. A city file
/// stores the position of a kind in this list, so new kinds are added at its end; a set of bits
/// holds at most 64.
package enum PlaceKind: UInt8, CaseIterable, Sendable {
    /// Places of transport; a ``station`` has trains, a ``stop`` has none.
    case station, metro, stop, airport, taxiRank, parking, fuel, chargingStation
    /// Places for people's and animals' health.
    case pharmacy, doctor, dentist, hospital, clinic, veterinarian
    /// Shops of daily needs; ``shop`` stands for any other.
    case supermarket, bakery, greengrocer, butcher, market, shoppingCentre, shop
    /// More shops and services.
    case clothes, hairdresser, bookshop, hardware, electronics, laundry, florist, optician
    /// Places to eat, drink and go out.
    case cafe, restaurant, fastFood, bar, iceCream, nightclub
    /// Places to learn and read.
    case school, kindergarten, university, library
    /// Money, post and public services.
    case bank, cashMachine, postOffice, townHall, police
    /// Places for sport and recreation outdoors.
    case sportsCentre, gym, swimmingPool, stadium, park, playground
    /// Culture and everything else.
    case cinema, theatre, museum, hotel, placeOfWorship, cemetery, toilets

    /// The number that stands for the kind in a city file; 0 stands for none.
    var code: UInt8 { rawValue + 1 }

    /// The kind for a number in a city file; nil for 0 and for unknown numbers.
    init?(code: UInt8) { self.init(rawValue: code &- 1) }

    /// The kind's bit in a set of kinds.
    var bit: UInt64 { 1 << UInt64(rawValue) }

    /// Whether a place of this kind is worth finding even if the map has no name for it.
    var needsNoName: Bool { Self.nameless & bit != 0 }

    private static let nameless: UInt64 =
        [
            taxiRank, fuel, chargingStation, pharmacy, doctor, dentist, clinic, veterinarian,
            supermarket, bakery, greengrocer, butcher, market, hairdresser, laundry, cafe,
            restaurant, fastFood, bar, iceCream, library, bank, cashMachine, postOffice, police,
            sportsCentre, gym, playground, toilets,
        ].reduce(0) { $0 | $1.bit }

    /// The kind of an element with an OpenStreetMap tag; nil for all other elements.
    ///
    /// Source: OSM wiki, "Map features".
    init?(key: String, value: String) {
        if let kind = Self.kinds["\(key)=\(value)"] {
            self = kind
        } else if key == "shop", value != "vacant", value != "no" {
            self = .shop
        } else {
            return nil
        }
    }

    private static let kinds: [String: PlaceKind] = {
        var kinds: [String: PlaceKind] = [:]
        for (kind, tags) in tags {
            for tag in tags.split(separator: " ") { kinds[String(tag)] = kind }
        }
        return kinds
    }()

    private static let tags: [(PlaceKind, String)] = [
        (.station, "railway=station railway=halt"), (.airport, "aeroway=aerodrome"),
        (.taxiRank, "amenity=taxi"), (.parking, "amenity=parking"), (.fuel, "amenity=fuel"),
        (.chargingStation, "amenity=charging_station"),
        (.pharmacy, "amenity=pharmacy healthcare=pharmacy"),
        (.doctor, "amenity=doctors healthcare=doctor"),
        (.dentist, "amenity=dentist healthcare=dentist"),
        (.hospital, "amenity=hospital healthcare=hospital"),
        (.clinic, "amenity=clinic healthcare=clinic healthcare=centre"),
        (.veterinarian, "amenity=veterinary"),
        (.supermarket, "shop=supermarket shop=convenience"), (.bakery, "shop=bakery shop=pastry"),
        (.greengrocer, "shop=greengrocer"), (.butcher, "shop=butcher"),
        (.market, "amenity=marketplace"), (.shoppingCentre, "shop=mall shop=department_store"),
        (.clothes, "shop=clothes shop=shoes"), (.hairdresser, "shop=hairdresser"),
        (.bookshop, "shop=books"), (.hardware, "shop=doityourself shop=hardware"),
        (.electronics, "shop=electronics shop=computer shop=mobile_phone"),
        (.laundry, "shop=laundry shop=dry_cleaning"), (.florist, "shop=florist"),
        (.optician, "shop=optician"),
        (.cafe, "amenity=cafe"), (.restaurant, "amenity=restaurant"),
        (.fastFood, "amenity=fast_food amenity=food_court"), (.bar, "amenity=bar amenity=pub"),
        (.iceCream, "amenity=ice_cream shop=ice_cream"), (.nightclub, "amenity=nightclub"),
        (.school, "amenity=school"), (.kindergarten, "amenity=kindergarten amenity=childcare"),
        (.university, "amenity=university amenity=college"), (.library, "amenity=library"),
        (.bank, "amenity=bank"), (.cashMachine, "amenity=atm"),
        (.postOffice, "amenity=post_office"), (.townHall, "amenity=townhall"),
        (.police, "amenity=police"),
        (.sportsCentre, "leisure=sports_centre leisure=sports_hall"),
        (.gym, "leisure=fitness_centre"), (.swimmingPool, "leisure=swimming_pool"),
        (.stadium, "leisure=stadium"), (.park, "leisure=park leisure=garden"),
        (.playground, "leisure=playground"),
        (.cinema, "amenity=cinema"), (.theatre, "amenity=theatre"), (.museum, "tourism=museum"),
        (.hotel, "tourism=hotel tourism=hostel tourism=guest_house"),
        (.placeOfWorship, "amenity=place_of_worship"),
        (.cemetery, "amenity=grave_yard landuse=cemetery"), (.toilets, "amenity=toilets"),
    ]
}
