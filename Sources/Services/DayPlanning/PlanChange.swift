package import TripPlanning

/// Why a plan is another one than before (issue 32: a page shows what changed and why).
package enum ReplanReason: String, Sendable, Hashable, Codable {
    /// The calendar, or how its owner travels, has changed.
    case calendar
    /// A strike was announced or called off.
    case strike
    /// Public transport is disrupted, or no longer is.
    case disruption
    /// The forecast of rain has changed.
    case rain
    /// Traffic has changed.
    case traffic
    /// Other data of the city have changed, such as its timetables.
    case city
}

/// A journey that is made by another means than before.
package struct ChangedMeans: Sendable, Hashable, Codable {
    /// The task to which it leads; nil for the one to the base.
    package var to: DayMemory.Subject?
    /// The means by which it was made before, as ``TripKind`` names it.
    package var before: String
}

/// What a plan changed since an earlier one.
package struct PlanChange: Sendable {
    /// The tasks that are at another time.
    package var moved: [MovedTask]
    /// The journeys that are made by another means, each with the means before.
    package var means: [(journey: DayJourney, before: TripKind)]
    /// Why.
    package var reason: ReplanReason

    /// Whether nothing changed.
    package var isEmpty: Bool { moved.isEmpty && means.isEmpty }
}

extension PlannedDay {
    /// What the plan takes into account besides the calendar and the city's files, in order: the
    /// strikes and other disruptions that it knows, rain, and traffic.
    package var causes: [String] {
        var causes = disruptions.map { disruption in
            let kind: ReplanReason = disruption.isStrike ? .strike : .disruption
            let state = disruption.isClosing ? "" : " open"
            return "\(kind.rawValue) \(disruption.id)\(state)"
        }
        for warning in journeys.flatMap(\.warnings) {
            switch warning {
            case .rain, .noCycling: causes.append(ReplanReason.rain.rawValue)
            case .traffic, .noDriving: causes.append(ReplanReason.traffic.rawValue)
            case .limit, .disruption: break
            }
        }
        return Set(causes).sorted()
    }

    /// Why the plan differs from the one that is remembered.
    ///
    /// - Parameters:
    ///   - memory: what is remembered.
    ///   - version: the version of the calendar with which this plan is made.
    /// - Returns: the calendar if that has changed, or else the first cause that only one of the
    ///   two plans takes into account.
    package func reason(since memory: DayMemory, version: Int64?) -> ReplanReason {
        guard let version, memory.workedVersion == version else { return .calendar }
        let changed = Set(causes).symmetricDifference(memory.causes)
        let order: [ReplanReason] = [.strike, .disruption, .rain, .traffic]
        return order.first { reason in changed.contains { $0.hasPrefix(reason.rawValue) } } ?? .city
    }

    /// The journeys that an earlier plan made by another means.
    package func changedMeans(since memory: DayMemory) -> [ChangedMeans] {
        let before = Dictionary(memory.legs.map { ($0.to, $0.kind) }) { $1 }
        return lastJourneys.compactMap { journey in
            let subject = subject(of: journey)
            guard let old = before[subject], old != journey.trip.kind.rawValue else { return nil }
            return ChangedMeans(to: subject, before: old)
        }
    }

    /// What people are told of that changed: by this plan, or if it changed nothing by the latest
    /// one that did, as far as it still holds.
    ///
    /// - Parameters:
    ///   - memory: what is remembered of the plan before.
    ///   - version: the version of the calendar with which this plan is made.
    /// - Returns: the changes with their reason; empty if nothing is to be told.
    package func change(since memory: DayMemory, version: Int64?) -> PlanChange {
        let (moved, changed) = (moved(since: memory), changedMeans(since: memory))
        let isNew = !moved.isEmpty || !changed.isEmpty
        let means = isNew ? changed : memory.changedMeans
        let before = Dictionary(means.map { ($0.to, $0.before) }) { $1 }
        return PlanChange(
            moved: isNew ? moved : told(by: memory),
            means: lastJourneys.compactMap { journey in
                guard let kind = before[subject(of: journey)].flatMap(TripKind.init(rawValue:)),
                    kind != journey.trip.kind
                else { return nil }
                return (journey, kind)
            },
            reason: isNew ? reason(since: memory, version: version) : memory.reason ?? .calendar
        )
    }

    /// The last journey to each of its ends: who fetches a vehicle first has two.
    private var lastJourneys: [DayJourney] {
        journeys.indices.filter { number in
            !journeys[(number + 1)...].contains { $0.to == journeys[number].to }
        }.map { journeys[$0] }
    }

    private func subject(of journey: DayJourney) -> DayMemory.Subject? {
        if case .task(let task) = journey.to { input.tasks[task].subject } else { nil }
    }
}
