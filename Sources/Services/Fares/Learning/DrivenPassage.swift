package import Streets

/// A street that a taxi passed from end to end.
package struct DrivenPassage: Hashable, Sendable {
    /// The stretch of street.
    package let edge: EdgeIndex
    /// Whether it was passed in the direction of its geometry.
    package let isForward: Bool
    /// When the passage began, in milliseconds since 1970-01-01 UTC.
    package let began: Int64
    /// How long it took, in milliseconds.
    package fileprivate(set) var milliseconds: Int64
    /// How long it takes according to the map, in milliseconds.
    package fileprivate(set) var mapped: Int64

    /// The range of plausible ratios, in thousandths: a street with red lights, but no coffee.
    static let believed: ClosedRange<Int64> = 250...10_000

    /// The actual time in thousandths of the mapped one; nil if it is implausible.
    package var perMille: UInt16? {
        guard mapped > 0 else { return nil }
        let ratio = (milliseconds * 1_000 + mapped / 2) / mapped
        return Self.believed.contains(ratio) ? UInt16(ratio) : nil
    }
}

extension DriveMatcher {
    /// A street that is being passed.
    private struct Open {
        var passage: DrivenPassage
        /// The fraction of the edge that was reached.
        var reached: UInt32
        /// Whether it was passed from its beginning.
        let isWhole: Bool
    }

    /// What happens on a stretch of the way between two positions.
    private struct Leg {
        /// When the way began, in milliseconds since 1970-01-01 UTC.
        let began: Int64
        /// How long it took, in milliseconds.
        let milliseconds: Int64
        /// How long it takes according to the map, in milliseconds; not 0.
        let mapped: Int64

        /// When a part of the mapped time was over, in milliseconds since the way began.
        func elapsed(_ part: Int64) -> Int64 { milliseconds * part / mapped }
    }

    /// The streets passed from end to end along matched positions.
    ///
    /// Between two positions the taxi is assumed to be slower or quicker than the map by the same
    /// factor everywhere.
    func passages(along matches: [Match]) -> [DrivenPassage] {
        var passages: [DrivenPassage] = []
        var open: Open?
        var waited: Int64 = 0
        for (one, other) in zip(matches, matches.dropFirst()) {
            let route = streets.route(
                from: one.street,
                to: other.street,
                by: metric,
                using: workspace
            )
            guard let route else {
                (open, waited) = (nil, 0)
                continue
            }
            let elapsed = other.point.milliseconds - one.point.milliseconds
            let mapped = Int64(route.cost.milliseconds)
            guard mapped > 0 else {
                // It moved, but not along the street.
                waited += elapsed
                continue
            }
            let leg = Leg(
                began: one.point.milliseconds - waited,
                milliseconds: elapsed + waited,
                mapped: mapped
            )
            waited = 0
            var passed: Int64 = 0
            for stretch in route.stretches {
                advance(&open, by: stretch, after: passed, of: leg, &passages)
                passed += Int64(stretch.cost.milliseconds)
            }
        }
        // Who turns in a street has not passed it as others do.
        return passages.indices.filter { number in
            [number - 1, number + 1].allSatisfy {
                !passages.indices.contains($0) || passages[$0].edge != passages[number].edge
            }
        }.map { passages[$0] }.filter { $0.perMille != nil }
    }

    private func advance(
        _ open: inout Open?,
        by stretch: StreetRoute.Stretch,
        after passed: Int64,
        of leg: Leg,
        _ passages: inout [DrivenPassage]
    ) {
        let mapped = Int64(stretch.cost.milliseconds)
        let begin = leg.elapsed(passed)
        let milliseconds = leg.elapsed(passed + mapped) - begin
        let tail = stretch.forward ? 0 : StreetPlace.whole
        let isContinued =
            open.map {
                $0.passage.edge == stretch.edge && $0.passage.isForward == stretch.forward
                    && $0.reached == stretch.fromFraction
            } ?? false
        if isContinued {
            open?.passage.milliseconds += milliseconds
            open?.passage.mapped += mapped
            open?.reached = stretch.toFraction
        } else {
            open = Open(
                passage: DrivenPassage(
                    edge: stretch.edge,
                    isForward: stretch.forward,
                    began: leg.began + begin,
                    milliseconds: milliseconds,
                    mapped: mapped
                ),
                reached: stretch.toFraction,
                isWhole: stretch.fromFraction == tail
            )
        }
        guard let now = open, now.reached == StreetPlace.whole - tail else { return }
        if now.isWhole { passages.append(now.passage) }
        open = nil
    }
}
