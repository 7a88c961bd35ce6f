import OpenData

/// The ways between the platforms of all feeds and the times to change at each.
struct FootpathBuilder {
    /// Seconds to change at each platform; negative if that is impossible.
    private(set) var changes: [Int32] = []
    /// The ways, in no particular order.
    private(set) var footpaths: [FootpathDraft] = []

    /// The platforms' first numbers for each stop of all feeds; one more than stops.
    let platformOffsets: [Int]
    /// For each stop of all feeds whether it lies on the map: between two such stops people walk
    /// on the streets, and stated times are least times; without streets none does.
    let isOnMap: [Bool]

    /// Adds the platforms of one feed.
    ///
    /// - Parameters:
    ///   - feed: the feed with the rules.
    ///   - base: the number of its first stop among those of all feeds.
    ///   - plan: its platforms.
    ///   - rules: its rules for changing.
    ///   - walks: for each of its stops, the walks to stops of any feed.
    mutating func add(
        _ feed: GTFSFeed,
        base: Int,
        plan: PlatformPlan,
        rules: ChangeRules,
        walks: [[StopWalk]]
    ) {
        for stop in feed.stops.indices {
            addChanges(stop, base, plan, rules)
            addWalks(stop, base, plan, rules, walks[stop], feed)
        }
        addSpecialPairs(feed, base, plan, rules, walks)
    }

    init(platformOffsets: [Int], isOnMap: [Bool]) {
        self.platformOffsets = platformOffsets
        self.isOnMap = isOnMap
        changes = Array(repeating: 0, count: platformOffsets.last ?? 0)
    }

    private func platform(_ stop: Int, _ variant: Int) -> Int {
        platformOffsets[stop] + variant
    }

    /// The times to change within one stop.
    private mutating func addChanges(
        _ stop: Int,
        _ base: Int,
        _ plan: PlatformPlan,
        _ rules: ChangeRules
    ) {
        let variants = plan.variants[stop]
        for (number, from) in variants.enumerated() {
            for (other, to) in variants.enumerated() {
                let general = rules.general[ChangeRules.Pair(from: stop, to: stop)]
                let outcome =
                    special(from, to, rules) ?? general
                    ?? .takes(seconds: ChangeRules.defaultChangeSeconds)
                let seconds: Int32 = if case .takes(let time) = outcome { time } else { -1 }
                if number == other {
                    changes[platform(base + stop, number)] = seconds
                } else if seconds >= 0 {
                    footpaths.append(
                        FootpathDraft(
                            from: platform(base + stop, number),
                            to: platform(base + stop, other),
                            seconds: seconds,
                            metres: 0,
                            use: .changeOnly
                        )
                    )
                }
            }
        }
    }

    /// The walks from one stop to others.
    private mutating func addWalks(
        _ stop: Int,
        _ base: Int,
        _ plan: PlatformPlan,
        _ rules: ChangeRules,
        _ walks: [StopWalk],
        _ feed: GTFSFeed
    ) {
        for walk in walks {
            let pair = ChangeRules.Pair(from: stop, to: walk.to - base)
            let isOwn = feed.stops.indices.contains(walk.to - base)
            let outcome = isOwn ? rules.general[pair] : nil
            let isForbidden = outcome == .impossible
            // A stated time is the minimum for a change; before the first trip and after the last
            // it adds nothing.
            var changeSeconds = walk.seconds
            if isOnMap[base + stop], isOnMap[walk.to], case .takes(let least) = outcome {
                changeSeconds = max(walk.seconds, least)
            }
            for (number, from) in plan.variants[stop].enumerated() {
                for target in platformOffsets[walk.to]..<platformOffsets[walk.to + 1] {
                    let to =
                        isOwn
                        ? plan.variants[walk.to - base][target - platformOffsets[walk.to]] : nil
                    let isSpecial = to.map { special(from, $0, rules) != nil } ?? false
                    let isForEndsOnly =
                        isForbidden || isSpecial || changeSeconds > walk.seconds
                    var path = FootpathDraft(
                        from: platform(base + stop, number),
                        to: target,
                        seconds: walk.seconds,
                        metres: walk.metres,
                        use: isForEndsOnly ? .endsOnly : .any
                    )
                    footpaths.append(path)
                    guard isForEndsOnly, !isForbidden, !isSpecial else { continue }
                    path.seconds = changeSeconds
                    path.use = .changeOnly
                    footpaths.append(path)
                }
            }
        }
    }

    /// Collects the pairs of different stops for which a special rule gives a time.
    private mutating func addSpecialPairs(
        _ feed: GTFSFeed,
        _ base: Int,
        _ plan: PlatformPlan,
        _ rules: ChangeRules,
        _ walks: [[StopWalk]]
    ) {
        for pair in rules.specialPairs {
            addSpecialPair(pair, feed, base, plan, rules, walks[pair.from])
        }
    }

    private mutating func addSpecialPair(
        _ pair: ChangeRules.Pair,
        _ feed: GTFSFeed,
        _ base: Int,
        _ plan: PlatformPlan,
        _ rules: ChangeRules,
        _ walks: [StopWalk]
    ) {
        let (stop, other) = (pair.from, pair.to)
        let metres = ChangeRules.distance(pair, feed)
        var way = StopWalk(to: base + other, seconds: 0, metres: UInt32(metres.rounded()))
        if isOnMap[base + stop], isOnMap[base + other] {
            // A rule opens no way where the streets have none.
            guard let walk = walks.first(where: { $0.to == way.to }) else { return }
            way = walk
        }
        for (number, from) in plan.variants[stop].enumerated() {
            for (target, to) in plan.variants[other].enumerated() {
                guard case .takes(let least) = special(from, to, rules, feed, stop, other)
                else { continue }
                footpaths.append(
                    FootpathDraft(
                        from: platform(base + stop, number),
                        to: platform(base + other, target),
                        seconds: max(way.seconds, least),
                        metres: way.metres,
                        use: .changeOnly
                    )
                )
            }
        }
    }

    /// The effect of the most specific rule that applies to both sides; nil if none does.
    private func special(
        _ from: PlatformPlan.Variant,
        _ to: PlatformPlan.Variant,
        _ rules: ChangeRules,
        _ feed: GTFSFeed? = nil,
        _ stop: Int = 0,
        _ other: Int = 0
    ) -> ChangeRules.Outcome? {
        var best: (specificity: Int, rule: Int)?
        var boarding = to.boarding[...]
        for number in from.leaving {
            // Both lists ascend.
            boarding = boarding.drop { $0 < number }
            guard boarding.first == number else { continue }
            let specificity = ChangeRules.specificity(rules.special[number])
            if specificity > best?.specificity ?? 0 { best = (specificity, number) }
        }
        guard let best else { return nil }
        let rule = rules.special[best.rule]
        let pair = ChangeRules.Pair(from: stop, to: other)
        guard let feed else {
            if rule.kind == .impossible { return .impossible }
            let unstated = rule.kind == .timed ? 0 : ChangeRules.defaultChangeSeconds
            return .takes(seconds: rule.seconds ?? unstated)
        }
        return ChangeRules.outcome(rule, pair, feed)
    }
}
