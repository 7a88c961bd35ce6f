import Agenda
import Localization
import TravelPages
import WebCore

extension EntryCategory {
    /// The name of the category.
    var text: Text {
        switch self {
        case .meeting: EntryTexts.meeting
        case .errand: EntryTexts.errand
        case .meal: EntryTexts.meal
        case .sport: EntryTexts.sport
        case .family: EntryTexts.family
        case .health: EntryTexts.health
        case .leisure: EntryTexts.leisure
        case .other: EntryTexts.otherKind
        }
    }
}

extension EntryCategory {
    /// The choice of one category.
    static var choice: Field.Kind { .choice(allCases.map { ($0.rawValue, $0.text) }) }
}

/// Whether an entry belongs to a person's work, as a form asks it.
enum Belonging: String, CaseIterable {
    case work, personal, unsaid

    init(isWork: Bool?) {
        self = isWork.map { $0 ? .work : .personal } ?? .unsaid
    }

    /// The answer; nil if the person does not say.
    var isWork: Bool? {
        switch self {
        case .work: true
        case .personal: false
        case .unsaid: nil
        }
    }

    /// The choice of an answer.
    static var choice: Field.Kind {
        .oneOf([
            (Self.work.rawValue, EntryTexts.work), (Self.personal.rawValue, EntryTexts.personal),
            (Self.unsaid.rawValue, EntryTexts.unsaid),
        ])
    }
}

extension EntryExclusivity {
    /// What may be at the same time.
    var text: Text {
        switch self {
        case .exclusive: EntryTexts.exclusive
        case .overlappable: EntryTexts.overlappable
        case .transfer: EntryTexts.transfer
        }
    }
}

extension EntryRepetition.Frequency {
    /// The frequency in words, for the form and the page of an entry.
    var text: Text {
        switch self {
        case .never: EntryTexts.never
        case .daily: EntryTexts.daily
        case .workdays: EntryTexts.workdays
        case .weekly: EntryTexts.weekly
        case .timesAWeek: EntryTexts.timesAWeek
        case .fortnightly: EntryTexts.fortnightly
        case .monthly: EntryTexts.monthly
        case .yearly: EntryTexts.yearly
        case .other: EntryTexts.other
        }
    }
}

extension TravelMeans {
    /// The name of the means of travel.
    var text: Text {
        switch self {
        case .walk: PlanTexts.walk
        case .transit: PlanTexts.transit
        case .bicycle: PlanTexts.bicycle
        case .car: PlanTexts.car
        case .taxi: PlanTexts.taxi
        case .bikeshare: RulesTexts.bikeshare
        case .scooter: RulesTexts.scooter
        case .carshare: RulesTexts.carshare
        }
    }

    /// The choice of several means.
    ///
    /// - Parameters:
    ///   - hasRentals: whether the city knows vehicles that can be rented.
    ///   - chosen: the means that are chosen already, which stay in the list.
    /// - Returns: the kind of the field.
    static func choice(hasRentals: Bool, _ chosen: Set<TravelMeans>) -> Field.Kind {
        let offered = allCases.filter { means in
            hasRentals || !shared.contains(means) || chosen.contains(means)
        }
        return .several(offered.map { ($0.rawValue, $0.text) })
    }
}

extension Set<TravelMeans> {
    /// The means in the order in which people read them.
    var inOrder: [TravelMeans] { TravelMeans.allCases.filter(contains) }
    /// The means as the value of a field.
    var value: String { inOrder.map(\.rawValue).joined(separator: ",") }
}
