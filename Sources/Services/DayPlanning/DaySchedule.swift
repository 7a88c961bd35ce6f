import Chronology
import CityData
import TripPlanning

/// A task at a fixed time that takes its owner's whole attention.
struct DaySlot {
    /// The task, as a position in ``DayInput/tasks``.
    let task: Int
    /// Where it is; nil for one that is done wherever its owner is.
    let place: ResolvedPlace?
    /// The planned start.
    var start: Instant
    /// The planned end of the task.
    var end: Instant
    /// How many people are invited.
    var guests = 0
    /// Whether it does not take place after all.
    var isDropped = false
}

/// The journeys of a day whose slots are in order, and what stands in their way.
///
/// A journey is made in one of the gaps between the slots: after one place and before the next
/// there may be slots without a place, such as a call, during which nobody travels. The last gap
/// that is long enough is taken, since people leave as late as they can.
struct DaySchedule {
    /// A conflict between slots, given by their positions.
    struct Conflict {
        /// The slots that a change must be among to resolve it.
        let slots: ClosedRange<Int>
        /// What it is; nil for a way that nothing can be said of while slots on it overlap.
        let conflict: DayConflict?
    }

    private(set) var journeys: [DayJourney] = []
    private(set) var conflicts: [Conflict] = []
    private let slots: [DaySlot]
    private let base: ResolvedPlace?
    private let start: DayStart?
    private let morning: ResolvedPlace?

    /// A span between two slots; nil for one without a beginning or an end.
    private typealias Gap = (after: Instant?, by: Instant?)

    /// Makes the journeys of a day.
    ///
    /// - Parameters:
    ///   - slots: what takes place, in order.
    ///   - base: where the day begins and ends; nil for its first and its last place.
    ///   - start: where its owner is when only its rest is planned.
    ///   - morning: where the day begins, if not at the base.
    ///   - trips: answers how to get from one place to another.
    init(
        _ slots: [DaySlot],
        base: ResolvedPlace?,
        from start: DayStart? = nil,
        morning: ResolvedPlace? = nil,
        _ trips: inout DayTrips
    ) {
        self.slots = slots
        self.base = base
        self.start = start
        self.morning = morning
        var here: (place: ResolvedPlace, slot: Int?)? = (start?.place ?? morning ?? base).map {
            ($0, nil)
        }
        var gaps: [Gap] = []
        var busy: (until: Instant, slot: Int)?
        for (index, slot) in slots.enumerated() where !slot.isDropped {
            if let busy, busy.until > slot.start {
                let conflict = DayConflict.overlap(first: slots[busy.slot].task, second: slot.task)
                conflicts.append(Conflict(slots: busy.slot...index, conflict: conflict))
            }
            gaps.append((busy?.until ?? start?.time, slot.start))
            if let place = slot.place {
                if let here { travel(here.place, here.slot, place, index, gaps, &trips) }
                here = (place, index)
                gaps = []
            }
            if slot.end >= busy?.until ?? slot.end { busy = (slot.end, index) }
        }
        if let base, let here, let last = here.slot {
            gaps.append((busy?.until, nil))
            goHome(from: here.place, last, to: base, gaps, &trips)
        }
        // A slot that overlaps another begins or ends at a time that it will not keep.
        let doubtful = conflicts.reduce(into: Set<DayStop>()) { tasks, conflict in
            guard case .overlap(let first, let second) = conflict.conflict else { return }
            tasks.formUnion([.task(first), .task(second)])
        }
        journeys.removeAll { doubtful.contains($0.from) || doubtful.contains($0.to) }
    }

    private mutating func travel(
        _ from: ResolvedPlace,
        _ first: Int?,
        _ to: ResolvedPlace,
        _ last: Int,
        _ gaps: [Gap],
        _ trips: inout DayTrips
    ) {
        var reason: TripFailure?
        for gap in gaps.reversed() {
            switch trips.passage(from, to, after: gap.after, by: gap.by) {
            case .none: return
            case .trip(let trip):
                journeys.append(DayJourney(from: stop(first), to: stop(last), trip: trip))
                return
            case .impossible(let failure): reason = reason ?? failure
            }
        }
        let isOverlapped = gaps.contains { gap in
            if let after = gap.after, let by = gap.by { after > by } else { false }
        }
        let conflict = DayConflict.unreachable(from: stop(first), to: slots[last].task, reason)
        conflicts.append(
            Conflict(slots: (first ?? last)...last, conflict: isOverlapped ? nil : conflict)
        )
    }

    /// The journey back to the base, as soon as there is time for it.
    private mutating func goHome(
        from: ResolvedPlace,
        _ last: Int,
        to base: ResolvedPlace,
        _ gaps: [Gap],
        _ trips: inout DayTrips
    ) {
        var reason: TripFailure?
        for gap in gaps {
            switch trips.passage(from, base, after: gap.after, by: gap.by, isSoon: true) {
            case .none: return
            case .trip(let trip):
                journeys.append(DayJourney(from: stop(last), to: .base, trip: trip))
                return
            case .impossible(let failure): reason = reason ?? failure
            }
        }
        let conflict = DayConflict.noReturn(from: slots[last].task, reason)
        conflicts.append(Conflict(slots: last...last, conflict: conflict))
    }

    private func stop(_ slot: Int?) -> DayStop {
        slot.map { .task(slots[$0].task) } ?? (start == nil && morning == nil ? .base : .here)
    }
}
