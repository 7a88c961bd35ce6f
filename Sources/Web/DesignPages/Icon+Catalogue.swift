import TaxiPages
import WebCore

extension Icon {
    /// All icons by their names, in the order of their files.
    static let catalogue: [(name: String, icon: Icon)] = [
        ("check", .check), ("plus", .plus), ("minus", .minus), ("close", .close), ("next", .next),
        ("back", .back), ("up", .up), ("down", .down), ("swap", .swap), ("search", .search),
        ("edit", .edit), ("bin", .bin), ("share", .share), ("link", .link), ("refresh", .refresh),
        ("download", .download), ("upload", .upload), ("printer", .printer), ("filter", .filter),
        ("out", .out), ("play", .play), ("pause", .pause), ("stop", .stop), ("undo", .undo),
        ("more", .more), ("expand", .expand), ("person", .person), ("people", .people),
        ("list", .list), ("lines", .lines), ("home", .home), ("work", .work), ("star", .star),
        ("heart", .heart), ("clock", .clock), ("history", .history), ("calendar", .calendar),
        ("bell", .bell), ("phone", .phone), ("message", .message), ("mail", .mail),
        ("mobile", .mobile), ("lock", .lock), ("key", .key), ("shield", .shield), ("eye", .eye),
        ("language", .language), ("gear", .gear), ("rules", .rules), ("coin", .coin),
        ("card", .card), ("receipt", .receipt), ("ticket", .ticket), ("chart", .chart),
        ("book", .book), ("disk", .disk), ("plug", .plug), ("inbox", .inbox),
        ("licence", .licence), ("information", .information), ("warning", .warning),
        ("question", .question), ("offline", .offline), ("sun", .sun), ("moon", .moon),
        ("rain", .rain), ("leaf", .leaf), ("pin", .pin), ("flag", .flag), ("locate", .locate),
        ("navigate", .navigate), ("map", .map), ("area", .area), ("layers", .layers),
        ("street", .street), ("route", .route), ("building", .building),
        ("walking", .walking),
        ("bicycle", .bicycle), ("scooter", .scooter), ("bus", .bus), ("tram", .tram),
        ("train", .train),
        ("metro", .metro), ("ferry", .ferry), ("car", .car), ("wheelchair", .wheelchair),
        ("luggage", .luggage), ("ahead", .ahead), ("turnLeft", .turnLeft),
        ("turnRight", .turnRight), ("bearLeft", .bearLeft), ("bearRight", .bearRight),
        ("sharpLeft", .sharpLeft), ("sharpRight", .sharpRight), ("turnBack", .turnBack),
        ("roundabout", .roundabout), ("taxi", .taxi),
    ]
}
