import SeededRandom

/// The names of the demo city, each given once.
struct TownNames: Sendable {
    /// The name of the city.
    let city: String
    /// The name of the river.
    let river: String
    private var random: SeededRandom
    private var decks: [[String]]
    private var rare: [String]
    private var people = 0
    private let start: Int
    private var taken: Set<String> = []

    /// Creates the names of one city.
    init(random: SeededRandom) {
        var random = random
        city = random.pick(WordLists.cities)
        river = random.pick(WordLists.rivers)
        let spots = WordLists.spots.flatMap { spot in
            WordLists.adjectives.map { spot + " " + $0 }
        }
        let churches = WordLists.saints.flatMap { saint in
            WordLists.parishes.map { saint + " " + $0 }
        }
        // The common names are taken first, from the end of each deck.
        rare = random.shuffled(spots + churches)
        decks = WordLists.themes.map { random.shuffled($0) }
        start = random.below(1 << 20)
        self.random = random
    }

    /// TownNames all streets of a plan that bear one, the widest first.
    mutating func name(_ plan: inout StreetPlan) {
        let nearest = QuarterIndex(ground: plan.ground)
        let order = plan.streets.indices.sorted {
            (plan.streets[$0].kind.rawValue, $0) < (plan.streets[$1].kind.rawValue, $1)
        }
        for number in order {
            let street = plan.streets[number]
            guard let first = street.chains.first?.first else { continue }
            let place = plan.junctions[Int(plan.start(first))]
            guard let prefix = prefix(street, at: place, in: plan) else { continue }
            plan.name(number, prefix + " " + subject(theme: nearest.quarter(at: place)))
        }
    }

    /// The first part of a street's name, such as "Via"; nil if it has no name.
    private mutating func prefix(
        _ street: StreetPlan.Street,
        at place: Point,
        in plan: StreetPlan
    ) -> String? {
        let length = street.chains.joined().reduce(0) { $0 + plan.length(of: $1.stretch) }
        switch street.kind {
        case .primary: return place.length < plan.ground.belt * 0.7 ? "Corso" : "Viale"
        case .secondary: return random.happens(0.6) ? "Viale" : "Via"
        case .tertiary:
            let first = street.chains.first?.first.map { plan.stretches[Int($0.stretch)] }
            if first?.left == .water || first?.right == .water {
                return "Lungo" + river.lowercased()
            }
            return random.happens(0.15) ? "Viale" : "Via"
        case .unclassified: return "Via"
        case .residential, .livingStreet:
            if street.isOld, length < 90 { return random.happens(0.6) ? "Vicolo" : "Contrada" }
            if length < 45 { return random.happens(0.4) ? "Largo" : "Via" }
            return "Via"
        case .pedestrian:
            if length < 70 { return random.happens(0.5) ? "Passaggio" : "Vicolo" }
            return "Via"
        case .footway, .cycleway, .service, .steps:
            guard random.happens(street.kind == .service ? 0.1 : 0.04), length > 60 else {
                return nil
            }
            return street.kind == .service ? "Via privata" : "Passeggiata"
        default: return nil
        }
    }

    /// A subject that no other street has, if it can be after the theme of its quarter.
    private mutating func subject(theme: Int) -> String {
        if random.happens(0.4), let word = decks[theme % decks.count].popLast() { return word }
        if random.happens(0.12), let word = rare.popLast() { return word }
        return person()
    }

    /// The next of the invented people.
    mutating func person() -> String {
        let first = WordLists.firstNames
        let stems = WordLists.surnameStems
        let endings = WordLists.surnameEndings
        let total = first.count * stems.count * endings.count
        // A stride that shares no factor with the total visits every combination once.
        let number = (start + people &* 1_000_003) % total
        people += 1
        let surname = stems[number / first.count % stems.count]
        let ending = endings[number / first.count / stems.count]
        return "\(first[number % first.count]) \(surname)\(ending)"
    }

    /// A new name for a square.
    mutating func square() -> String { "Piazza " + subject(theme: random.below(64)) }

    /// A new name for a park.
    mutating func park(size: Double) -> String {
        let head = size > 60_000 ? "Parco" : "Giardini"
        for theme in [0, 5] {
            if random.happens(0.5), let word = decks[theme].popLast() { return "\(head) \(word)" }
        }
        return "\(head) \(person())"
    }

    /// A name for a quarter that no other has.
    mutating func quarter() -> String {
        for _ in 0..<200 {
            let head = random.pick(WordLists.quarterHeads)
            let tail = random.pick(WordLists.quarterTails)
            let joined =
                head == "Castel" || head == "Monte" ? head + tail.lowercased() : head + " " + tail
            if taken.insert(joined).inserted { return joined }
        }
        return "Borgo " + person()
    }
}

/// Finds the quarter of a place.
struct QuarterIndex: Sendable {
    private let quarters: [Point]

    /// The quarters of a ground.
    init(ground: Ground) {
        quarters = ground.quarters
    }

    /// The number of the nearest quarter, 0 where there is none.
    func quarter(at place: Point) -> Int {
        var best = 0
        var nearest = Double.infinity
        for (index, quarter) in quarters.enumerated() {
            let distance = quarter.distance(to: place)
            if distance < nearest {
                nearest = distance
                best = index
            }
        }
        return best
    }
}
