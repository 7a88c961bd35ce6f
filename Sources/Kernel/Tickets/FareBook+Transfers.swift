import Columns
import Transit

/// Two legs that a rule may connect, and how many transfers within their group came before.
struct LegPair {
    let feed: FeedIndex
    let from: UInt32
    let to: UInt32
    /// The number of this transfer within a row of legs of one group, from 1.
    let count: Int32
    /// The leg that was paid at the beginning of the row, or the current leg.
    let paid: (departure: Int64, arrival: Int64)
    let current: (departure: Int64, arrival: Int64)
    let next: (departure: Int64, arrival: Int64)

    /// Whether the transfer keeps to a limit.
    ///
    /// What begins with boarding is the validity of the ticket, which counts from the leg that was
    /// paid; what begins with alighting is the time to change.
    func keeps(_ seconds: Int32, span: UInt8) -> Bool {
        let taken =
            switch span {
            case 0: next.arrival - paid.departure
            case 1: next.departure - paid.departure
            case 2: next.departure - current.arrival
            default: next.arrival - current.arrival
            }
        return seconds == 0 || taken <= Int64(seconds)
    }
}

extension FareBook {
    /// The rules that apply to a transfer, as rows.
    ///
    /// Source: GTFS reference, `fare_transfer_rules.txt`: exact matches come first, then empty
    /// entries, which stand for the groups that no rule lists; of several numbers of transfers, the
    /// least that suffices counts.
    func transferRules(_ pair: LegPair) -> [Int] {
        let all = transfers.rows(pair.feed)
        var rows: [Int] = []
        var (isFromListed, isToListed) = (false, false)
        for row in all {
            if pair.from != 0, transfers.from[row] == pair.from { isFromListed = true }
            if pair.to != 0, transfers.to[row] == pair.to { isToListed = true }
            if pair.from != 0, pair.to != 0, transfers.from[row] == pair.from,
                transfers.to[row] == pair.to
            {
                rows.append(row)
            }
        }
        if rows.isEmpty {
            rows = all.filter { row in
                let (from, to) = (transfers.from[row], transfers.to[row])
                return (from == 0 ? !isFromListed : from == pair.from)
                    && (to == 0 ? !isToListed : to == pair.to)
            }
        }
        var least = Int32.max
        for row in rows where count(row) >= pair.count { least = min(least, count(row)) }
        return rows.filter { row in
            count(row) >= pair.count && count(row) == least
                && pair.keeps(transfers.seconds[row], span: transfers.span[row])
        }
    }

    /// How many consecutive transfers a rule allows.
    private func count(_ row: Int) -> Int32 {
        let count = transfers.count[row]
        return count <= 0 ? Int32.max : count
    }

    /// What a transfer costs by a rule; nil if its product cannot be bought.
    func transferFare(
        _ row: Int,
        _ terms: FareTerms
    ) -> (product: FareProductIndex?, amount: Int64)? {
        let stated = transfers.product[row]
        guard stated != 0 else { return (nil, 0) }
        let product = FareProductIndex(rawValue: stated - 1)
        return amount(product, terms).map { (product, $0) }
    }
}
