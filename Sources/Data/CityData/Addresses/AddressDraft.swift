import Geo

/// What has been gathered for the addresses of a city, before it is put in order.
struct AddressDraft {
    /// All texts, each once.
    var texts = TextPool()
    /// The named ways, each a stretch of a street.
    var ways: [Way] = []
    /// The points of all ways, one way after the other.
    var points: [Coordinate] = []
    /// The house numbers.
    var houses: [House] = []
    /// Towns and their parts.
    var localities: [Place] = []
    /// Everything else that has a name.
    var features: [Place] = []
    /// Stops of the timetable, grouped.
    var stops: [StopGroup] = []

    /// A stretch of a street.
    struct Way {
        /// The street's name, as a text number.
        var name: UInt32
        /// Its other names, divided by semicolons, as a text number.
        var otherNames: UInt32
        /// How much traffic it is made for, 0 to 6.
        var importance: UInt8
        /// Its rows of `points`.
        var points: Range<Int>
    }

    /// A house number where it was mapped.
    struct House {
        /// The street's or place's name, as a text number.
        var street: UInt32
        /// The town's name, as a text number; 0 where unsaid.
        var city: UInt32
        /// The value of `addr:housenumber`, as a text number.
        var number: UInt32
        /// Where it is.
        var coordinate: Coordinate
    }

    /// A place with a name.
    struct Place {
        /// The name, as a text number.
        var name: UInt32
        /// Its other names, divided by semicolons, as a text number.
        var otherNames: UInt32
        /// What it is, such as `museum`, as a text number.
        var category: UInt32
        /// How sought after it is, 0 to 15.
        var importance: UInt8
        /// Where it is.
        var coordinate: Coordinate
        /// How far a locality reaches, in metres; 0 for other places.
        var reach = 0.0
        /// Whether a locality is a town of its own rather than part of one.
        var isTown = false
    }

    /// Stops of one name close together, or of one station.
    struct StopGroup {
        /// The name, as a text number.
        var name: UInt32
        /// The rows of the timetable's stops, ascending; the first stands for all.
        var stops: [UInt32]
        /// Where they are on average.
        var coordinate: Coordinate
    }
}
