import Markup

extension Icon {
    /// A map pin: a place.
    package static let pin = Icon(
        path: """
            M12 22c-5-6-7-9-7-12a7 7 0 0114 0c0 3-2 6-7 12z \
            M12 12.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5z
            """
    )
    /// A flag: the destination.
    package static let flag = Icon(path: "M5 22V3h13l-3 5 3 5H5")
    /// Cross hairs: the user's position.
    package static let locate = Icon(
        path:
            "M12 18a6 6 0 100-12 6 6 0 000 12zM12 2v4M12 18v4M2 12h4M18 12h4M12 12h.1"
    )
    /// An arrow head: navigation.
    package static let navigate = Icon(path: "M4 11l16-8-8 17-2-7z")
    /// A folded map: maps.
    package static let map = Icon(path: "M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14")
    /// A polygon with corners: an area of the map.
    package static let area = Icon(
        path:
            "M5 6l10-2 5 8-7 8-8-4zM5 6h.1M15 4h.1M20 12h.1M13 20h.1M5 16h.1"
    )
    /// Two sheets: layers of the map.
    package static let layers = Icon(path: "M12 3l9 5-9 5-9-5zM3 13l9 5 9-5")
    /// A signpost: a street.
    package static let street = Icon(
        path:
            "M12 3v18M5 5h11l3 2.5-3 2.5H5zM19 13H8l-3 2.5L8 18h11z"
    )
    /// A way from one place to another: a trip.
    package static let route = Icon(
        path: """
            M6 21a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM18 8a2.5 2.5 0 100-5 2.5 2.5 0 000 5z \
            M8.5 18.500H15a3.5 3.5 0 000-7H9a3.5 3.5 0 010-7h6.5
            """
    )
    /// A building: an institution, a hotel.
    package static let building = Icon(path: "M5 21V3h10v18M15 9h4v12M3 21h18M9 7h2M9 11h2M9 15h2")
    /// A person who walks.
    package static let walking = Icon(
        path: """
            M13 5.5a1.5 1.5 0 100-3 1.5 1.5 0 000 3zM8 21l3-6 3 3v3M6 12l3-4 4 0 2 4 3 1 \
            M11.5 8.5L11 15
            """
    )
    /// A bicycle, for cycling.
    package static let bicycle = Icon(
        path: """
            M6 19a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM18 19a3.5 3.5 0 100-7 3.5 3.5 0 000 7z \
            M6 15.5L9.5 8H15l3 7.5M9 9l3 6.5 4-6M8 6h3M14 5h2l-.5 3
            """
    )
    /// A kick scooter.
    package static let scooter = Icon(
        path:
            "M6 19a2 2 0 100-4 2 2 0 000 4zM18 19a2 2 0 100-4 2 2 0 000 4zM8 17h8q0-2 2-3L15 4h-3"
    )
    /// A bus.
    package static let bus = Icon(
        path:
            "M5 4h14v14H5zM5 12h14M8 15h.1M16 15h.1M7 18v2M17 18v2M10 7h4"
    )
    /// A tram below its wire.
    package static let tram = Icon(
        path:
            "M6 7h12v11H6zM6 13h12M12 7V3M8 3h8M9 16h.1M15 16h.1M8 21l2-3M16 21l-2-3"
    )
    /// A train on its rails.
    package static let train = Icon(
        path:
            "M7 3h10l1 3v11H6V6zM6 11h12M9 14h.1M15 14h.1M9 17l-3 4M15 17l3 4M8 20h8"
    )
    /// The letter M in a circle: metro.
    package static let metro = Icon(path: "M12 21a9 9 0 100-18 9 9 0 000 18zM8 16V9l4 4 4-4v7")
    /// A ship: ferry.
    package static let ferry = Icon(
        path:
            "M4 13l8-3 8 3-3 6H7zM7 11V7h10v4M12 7V4M2 21q2.5-2 5 0t5 0 5 0 5 0"
    )
    /// A car.
    package static let car = Icon(
        path: """
            M4 17v-4l2-5q.4-1 1.4-1h9.200q1 0 1.4 1l2 5v4zM4 13h16M6 17v2M18 17v2M7.5 15h.1 \
            M16.5 15h.1
            """
    )
    /// A person in a wheelchair: wheelchair access.
    package static let wheelchair = Icon(
        path: """
            M10 5.5a1.5 1.5 0 100-3 1.5 1.5 0 000 3zM10 8v6h6l2 5 2-1M10 10.5h5 \
            M8 12a5 5 0 106.5 6.5
            """
    )
    /// A suitcase: luggage.
    package static let luggage = Icon(
        path:
            "M6 8h12v12H6zM9 8V3h6v5M9 12v4M15 12v4M8 20v1.5M16 20v1.5"
    )
}
