import Agenda
import CityData
import Encoding
import Fares
import Geo
import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

/// A place as it is typed, and what is known of it.
struct PlaceInput {
    /// The text in the field.
    var text = ""
    /// The position of the place, as long as its name is the one for which it was found.
    var found: (name: String, position: Coordinate)?
    /// The places that may be meant, to choose from.
    var choices: [(value: String, label: Text)] = []

    /// A place that is known, or none.
    init(text: String = "", found: (name: String, position: Coordinate)? = nil) {
        self.text = text
        self.found = found
    }

    /// The place as it was sent.
    init(_ form: Form) {
        text = (form["place"] ?? "").trimmingBlanks()
        let numbers = (form["place-at"] ?? "").split(separator: " ").compactMap { Int32($0) }
        guard numbers.count == 2, form["place-name"] == text, !text.isEmpty else { return }
        let position = Coordinate(latitude: numbers[0], longitude: numbers[1])
        if position.isOnEarth { found = (text, position) }
    }

    /// The fields of a form that asks for the place.
    ///
    /// - Parameters:
    ///   - label: what is asked.
    ///   - hint: what helps to answer.
    ///   - isRequired: whether there must be an answer.
    ///   - problems: what is wrong, by the name of the field.
    /// - Returns: the place, and the choice between several of them if there is one.
    func fields(
        _ label: Text,
        _ hint: Text? = nil,
        isRequired: Bool = true,
        _ problems: [String: Text]
    ) -> [Field] {
        let place = Field(
            name: "place",
            label: label,
            hint: hint,
            value: text,
            error: problems["place"],
            isRequired: isRequired
        )
        guard !choices.isEmpty else { return [place] }
        let choice = Field(
            name: "place-choice",
            label: EntryTexts.several,
            kind: .oneOf(choices),
            error: problems["place-choice"]
        )
        return [place, choice]
    }

    /// The hidden fields that keep the position.
    var hidden: HTML {
        guard let found else { return .empty }
        return """
            <input type="hidden" name="place-at" value="\(found.position.latitude) \
            \(found.position.longitude)"><input type="hidden" name="place-name" \
            value="\(found.name)">
            """
    }
}

extension CalendarPages {
    /// Finds the place that was typed.
    ///
    /// - Parameters:
    ///   - input: what was typed; receives the position, or the places to choose from.
    ///   - allowsKinds: whether any place of a kind will do, such as "pharmacy".
    ///   - context: the request.
    ///   - problems: receives what is wrong, by the name of the field.
    /// - Returns: the place; nil if nothing was typed.
    func typedPlace(
        _ input: inout PlaceInput,
        allowsKinds: Bool,
        _ context: RequestContext,
        _ problems: inout [String: Text]
    ) -> EntryPlace? {
        let text = input.text
        guard !text.isEmpty else { return nil }
        if let found = input.found { return EntryPlace(text, at: found.position) }
        let none = EntryPlace(text, at: nil)
        // What is too long is refused elsewhere. Without a city nobody knows any place.
        guard text.count <= EntryDetails.placeLimit, let city else { return none }
        let query = context.form["place-typed"].flatMap { $0.isEmpty ? nil : $0 } ?? text
        if let id = context.form["place-id"], !id.isEmpty,
            let place = placeSearch.suggested(id, for: query)
        {
            input.found = (text, place.coordinate)
            return EntryPlace(text, at: place.coordinate)
        }
        if allowsKinds, let branches = city.places.branches(of: text), branches.count > 1 {
            return none
        }
        switch placeSearch.find(text) {
        case .found(let place):
            input.found = (text, place.coordinate)
            return EntryPlace(text, at: place.coordinate)
        case .several(let matches):
            if let place = PlaceSearch.choice(context.form["place-choice"], of: matches) {
                let name = String(place.called.text.prefix(EntryDetails.placeLimit))
                input = PlaceInput(text: name, found: (name, place.coordinate))
                return EntryPlace(name, at: place.coordinate)
            }
            input.choices = placeSearch.choices(matches)
            problems["place-choice"] = EntryTexts.chooseOne
        case .nothing: problems["place"] = EntryTexts.unknownPlace
        }
        return none
    }
}

extension CalendarPages {
    /// Finds the place that was typed, which must be on the map.
    ///
    /// - Returns: the place; nil if nothing was typed, or something is wrong.
    func typedSpot(
        _ input: inout PlaceInput,
        _ context: RequestContext,
        _ problems: inout [String: Text]
    ) -> SettingsPlace? {
        let place = typedPlace(&input, allowsKinds: false, context, &problems)
        guard let place else { return nil }
        if place.position == nil, problems.isEmpty { problems["place"] = EntryTexts.unknownPlace }
        return place.position.map { SettingsPlace(place.name, at: $0) }
    }
}

extension [InputField] {
    /// A place that is typed or suggested.
    static let place: [InputField] = [
        .typed("place", .text(EntryDetails.placeLimit), "The place."),
        .set("place-id", .text(60), "The suggestion that was chosen as the place."),
        .set("place-typed", .text(200), "What the place was suggested for."),
        .set("place-at", .text(30), "Where the place is that was found before."),
        .set("place-name", .text(EntryDetails.placeLimit), "The place that was found before."),
        .set("place-choice", .text(60), "Which of several places it is.").explained,
    ]
}

extension Coordinate {
    /// Whether latitude and longitude are in their ranges.
    fileprivate var isOnEarth: Bool {
        (-900_000_000...900_000_000).contains(latitude)
            && (-1_800_000_000...1_800_000_000).contains(longitude)
    }
}
