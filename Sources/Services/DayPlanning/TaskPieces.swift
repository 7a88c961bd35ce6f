package import Chronology

/// A task may be done in several pieces, each of a least length.
///
/// The pieces are equally long, and those that follow each other are one to their owner: two hours
/// in pieces of half an hour at least may be an hour and a half, and half an hour later. A task is
/// done in as few pieces as the day has room for.
extension CalendarTask {
    /// The most pieces of a task: an hour can be divided into each number up to it.
    static let piecesLimit = 6

    /// In how many pieces it may be done, if that is no more than some number.
    ///
    /// - Parameter most: the greatest number.
    /// - Returns: the number of pieces; 1 for a task in one piece.
    func pieces(atMost most: Int) -> Int {
        guard let leastPieceSeconds, case .flexible(_, let seconds, let least) = timing else {
            return 1
        }
        let longest = min(Int64(Self.piecesLimit), least / max(1, leastPieceSeconds))
        let counts = (1...max(1, min(most, Int(longest)))).reversed()
        return counts.first { seconds % Int64($0) == 0 && least % Int64($0) == 0 } ?? 1
    }
}

extension DayInput {
    /// How many pieces of a task have begun before the rest of the day is planned.
    func begunCount(of task: CalendarTask) -> Int {
        guard let start else { return 0 }
        return placements(of: task).count { $0.start <= start.time.seconds }
    }

    /// In how many pieces a task is done: as many as before once some of them have begun.
    func pieces(of task: CalendarTask) -> Int {
        let before = placements(of: task).count
        return begunCount(of: task) > 0 ? before : task.pieces(atMost: mostPieces)
    }

    /// The numbers of pieces to try, in this order: as many as an earlier plan has, so that it
    /// changes only where it must (A17), then fewer of them, then more.
    func pieceCounts(limit: Int) -> [Int] {
        let most = tasks.map { $0.pieces(atMost: CalendarTask.piecesLimit) }.max() ?? 1
        let before = tasks.map { placements(of: $0).count }.max() ?? 1
        let first = max(1, min(before, most))
        let others = (1...most).filter { $0 != first }
        return ([first] + others).filter { count in
            count == 1 || tasks.reduce(0) { $0 + $1.pieces(atMost: count) } <= limit
        }
    }
}

extension PlannedDay {
    /// Writes down when a task, or a piece of it, is.
    mutating func add(_ span: Range<Instant>, to task: Int) {
        guard let known = times[task] else {
            times[task] = span
            return
        }
        let all = (pieces[task] ?? [known]) + [span]
        pieces[task] = all.sorted { $0.lowerBound < $1.lowerBound }
        times[task] =
            min(known.lowerBound, span.lowerBound)..<max(known.upperBound, span.upperBound)
    }

    /// Writes down the tasks without a fixed time, or pieces of them, that have begun: they stay.
    mutating func noteBegun() {
        for (task, own) in input.tasks.enumerated() where own.timing.isFlexible {
            let placements = input.placements(of: own)
            let count = input.hasBegun(own) ? placements.count : input.begunCount(of: own)
            for one in placements.prefix(count) {
                add(Instant(seconds: one.start)..<Instant(seconds: one.end), to: task)
            }
        }
    }

    /// When the pieces of a task begin, in order; of a task in one piece, when it does.
    func starts(of task: Int) -> [Instant] {
        (pieces[task] ?? [time(of: task)]).map(\.lowerBound)
    }

    /// When a task is: once, or if it is done in pieces at each time that something lies between.
    package func spans(of task: Int) -> [Range<Instant>] {
        guard let pieces = pieces[task] else { return [time(of: task)] }
        return pieces.reduce(into: []) { spans, piece in
            if let last = spans.last, last.upperBound == piece.lowerBound {
                spans[spans.count - 1] = last.lowerBound..<piece.upperBound
            } else {
                spans.append(piece)
            }
        }
    }
}
