import Chronology
import Fares
import Journeys
import Streets
import Transit

/// What the city's taxis have taught of its streets, by the passages of its file.
///
/// Ratios are rounded to eighths: differences of less than a sixteenth are noise, and streets with
/// the same ratios share memory.
struct LearnedPassages: Sendable {
    /// A passage that is slower or quicker than others at some hours.
    struct Passage: Sendable {
        let arc: ArcIndex
        /// The time for each block of the week, in thousandths of what the city's pace gives it.
        let perMille: [UInt16]

        /// The time of a block, given that of the map.
        func milliseconds(_ usual: UInt32, in block: WeekBlock) -> UInt32 {
            UInt32(clamping: Int64(usual) * Int64(perMille[block.number]) / 1_000)
        }

        /// The times of the blocks in which a passage takes longer than on the map, given the time
        /// of the map.
        ///
        /// No street is quicker for cars than on the map: where others are slow, the city's pace
        /// alone would make it so.
        func times(_ usual: UInt32) -> [(hours: WeekHours, milliseconds: UInt32)] {
            var blocks: [UInt16: [Int]] = [:]
            for (block, ratio) in perMille.enumerated() where ratio > 1_000 {
                blocks[ratio, default: []].append(block)
            }
            var times: [(hours: WeekHours, milliseconds: UInt32)] = []
            for (ratio, numbers) in blocks.sorted(by: { $0.key < $1.key }) {
                let time = UInt32(clamping: Int64(usual) * Int64(ratio) / 1_000)
                times.append((hours: WeekBlock.hours(of: numbers), milliseconds: time))
            }
            return times
        }
    }

    /// The most passages, those that differ most; their patterns take 1.3 kB each.
    static let limit = 8_000
    /// The steps of ratios, in thousandths.
    private static let step: Int64 = 125

    /// The passages in the order of the city file.
    let passages: [Passage]
    private let positions: [ArcIndex: Int]
    private let zone: ZoneTable

    /// Nothing was learned.
    init() {
        passages = []
        positions = [:]
        zone = .utc
    }

    /// Finds the passages of what was learned.
    ///
    /// - Complexity: linear in the number of stretches of street.
    init(_ learned: LearnedSpeeds, _ city: City) {
        let streets = city.streets
        zone = city.timetable.zone
        var found: [Passage] = []
        for (edge, isForward, part) in streets.parts(knownBy: learned) {
            let ratios = Self.ratios(learned, part, streets.edge(edge).kind)
            guard let ratios else { continue }
            for arc in streets.passages(of: edge) where streets.passage(arc).forward == isForward {
                found.append(Passage(arc: arc, perMille: ratios))
            }
        }
        if found.count > Self.limit {
            found.sort { one, other in
                let (first, second) = (Self.difference(one), Self.difference(other))
                return first != second ? first > second : one.arc.rawValue < other.arc.rawValue
            }
            found = Array(found.prefix(Self.limit))
        }
        passages = found.sorted { $0.arc.rawValue < $1.arc.rawValue }
        positions = Dictionary(
            passages.enumerated().map { ($1.arc, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The passage of an arc; nil if it is as quick as others.
    subscript(arc: ArcIndex) -> Passage? { positions[arc].map { passages[$0] } }

    /// The block of the week of a moment; nil if nothing was learned.
    func block(at now: Instant) -> WeekBlock? {
        passages.isEmpty ? nil : WeekBlock(LocalTime(now, in: zone))
    }

    /// The ratios of a street, by blocks; nil if they are those of others.
    private static func ratios(
        _ learned: LearnedSpeeds,
        _ part: StreetPart,
        _ kind: StreetKind
    ) -> [UInt16]? {
        let ratios = WeekBlock.all.map { block -> UInt16 in
            let ratio = learned.ratio(of: part, kind, in: block) ?? 1_000
            return UInt16((ratio + step / 2) / step * step)
        }
        return ratios.allSatisfy { $0 == 1_000 } ? nil : ratios
    }

    /// How much a passage differs from others, over all blocks.
    private static func difference(_ passage: Passage) -> Int {
        passage.perMille.reduce(0) { $0 + abs(Int($1) - 1_000) }
    }
}
