import Synchronization

/// The tiles that were asked for lately, as they are sent, in a bounded number of bytes.
///
/// There are two generations: what is found in the old one moves to the young one, and when the
/// young one has grown to half of all room, it becomes the old one and the old one is forgotten.
/// So what was not asked for lately goes first, without any order being kept.
package final class TileCache: Sendable {
    /// A tile as it is sent.
    package struct Tile: Sendable {
        /// The SVG, compressed by gzip.
        package var compressed: [UInt8]
        /// What changes with its bytes; an entity tag with its quotes.
        package var tag: String
    }

    /// Which tile; its numbers are those of a tile that is drawn.
    package struct Key: Hashable, Sendable {
        package var zoom: Int
        package var x: Int
        package var y: Int
    }

    private struct Generations {
        var young: [Key: Tile] = [:]
        var old: [Key: Tile] = [:]
        var youngBytes = 0
    }

    /// Some hundred tiles; the server shall stay small.
    package static let usualLimit = 4 << 20
    /// What an entry takes besides the tile's bytes, roughly.
    private static let entryBytes = 200

    private let limit: Int
    private let generations = Mutex(Generations())

    /// An empty cache.
    ///
    /// - Parameter limit: how many bytes it takes at most, roughly.
    package init(limit: Int = usualLimit) {
        self.limit = limit
    }

    /// How many bytes it takes at most now, roughly: the young generation's, twice.
    package var tileCount: Int { generations.withLock { $0.young.count + $0.old.count } }

    /// The tile, drawn where it is not there.
    ///
    /// - Parameters:
    ///   - key: which tile.
    ///   - draw: draws it; two visitors who come at once may both have it drawn.
    /// - Returns: the tile.
    package func tile(_ key: Key, _ draw: () -> Tile) -> Tile {
        let found = generations.withLock { $0.young[key] ?? $0.old[key] }
        let tile = found ?? draw()
        let bytes = tile.compressed.count + Self.entryBytes
        generations.withLock { generations in
            guard generations.young[key] == nil else { return }
            if generations.youngBytes + bytes > limit / 2 {
                generations.old = generations.young
                generations.young = [:]
                generations.youngBytes = 0
            }
            generations.old[key] = nil
            generations.young[key] = tile
            generations.youngBytes += bytes
        }
        return tile
    }
}
