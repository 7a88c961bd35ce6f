import Geo
import Transit

/// The data gathered for the addresses of a city, before it is sorted.
struct AddressDraft {
    /// All strings, each stored once.
    var texts = TextPool()
    /// The named ways, each a stretch of a street.
    var ways: [Way] = []
    /// The points of all ways, one way after the other.
    var points: [Coordinate] = []
    /// The mapped house numbers.
    var houses: [House] = []
    /// The towns and their parts.
    var localities: [Place] = []
    /// Everything else that has a name.
    var features: [Place] = []
    /// Stops of the timetable, grouped.
    var stops: [StopGroup] = []

    /// A stretch of a street as mapped.
    struct Way {
        /// The street's name, as a text number.
        var name: UInt32
        /// Its other names, divided by semicolons, as a text number.
        var otherNames: UInt32
        /// How much traffic it is made for, 0 to 6.
        var importance: UInt8
        /// The rows of `points` that it consists of.
        var points: Range<Int>
    }

    /// A house number where it was mapped.
    struct House {
        /// The street's or place's name, as a text number.
        var street: UInt32
        /// The town's name, as a text number; 0 if unstated.
        var city: UInt32
        /// The value of `addr:housenumber`, as a text number.
        var number: UInt32
        /// The position of the house.
        var coordinate: Coordinate
    }

    /// A named place on the map.
    struct Place {
        /// The name, as a text number.
        var name: UInt32
        /// Its other names, divided by semicolons, as a text number.
        var otherNames: UInt32
        /// The category, such as `museum`, as a text number.
        var category: UInt32
        /// How often people look for it, 0 to 15.
        var importance: UInt8
        /// The position of the place.
        var coordinate: Coordinate
        /// How far a locality reaches, in metres; 0 for other places.
        var reach = 0.0
        /// Whether a locality is a town rather than part of one.
        var isTown = false
        /// The kind that people may ask for; nil for other places.
        var kind: PlaceKind?
        /// The value of `opening_hours`, as a text number; 0 if unstated.
        var hours: UInt32 = 0
        /// The value of `addr:street`, as a text number; 0 if unstated.
        var street: UInt32 = 0
    }

    /// Stops of one name close together, or of one station.
    struct StopGroup {
        /// The name, as a text number.
        var name: UInt32
        /// Its names on the map, divided by semicolons, as a text number.
        var otherNames: UInt32 = 0
        /// Whether trains, the metro or only other vehicles call there.
        var kind: PlaceKind
        /// The stops of the timetable; the first represents all.
        var stops: [StopIndex]
        /// The mean of their positions.
        var coordinate: Coordinate
    }
}
