import Synchronization

/// A size-limited cache of recently used tiles, compressed as they are sent.
///
/// It has two generations. A hit in the old generation moves the tile to the young one. When the
/// young generation reaches half of the limit, it becomes the old one, and the previous old one is
/// dropped. This evicts tiles in roughly least-recently-used order without maintaining that order.
package final class TileCache: Sendable {
    /// A tile as it is sent to browsers.
    package struct Tile: Sendable {
        /// The SVG image, compressed with gzip.
        package var compressed: [UInt8]
        /// The entity tag of the content, with its quotes.
        package var tag: String
    }

    /// The zoom level and coordinates of a tile that can be drawn.
    package struct Key: Hashable, Sendable {
        package var zoom: Int
        /// The column, counted from the west.
        package var x: Int
        /// The row, counted from the north.
        package var y: Int
        /// The number of renewals of the city files before it was drawn.
        package var epoch = 0
    }

    private struct Generations {
        var young: [Key: Tile] = [:]
        var old: [Key: Tile] = [:]
        var youngBytes = 0
    }

    /// The default limit in bytes.
    ///
    /// It holds some hundred tiles and keeps memory use low.
    package static let usualLimit = 4 << 20
    /// The approximate overhead of an entry in bytes, besides the tile itself.
    private static let entryBytes = 200

    private let limit: Int
    private let generations = Mutex(Generations())

    /// Creates an empty cache.
    ///
    /// - Parameter limit: the approximate maximum size in bytes.
    package init(limit: Int = usualLimit) {
        self.limit = limit
    }

    /// The number of tiles in both generations.
    package var tileCount: Int { generations.withLock { $0.young.count + $0.old.count } }

    /// Returns a tile, drawing it if it is not cached.
    ///
    /// - Parameters:
    ///   - key: the tile to return.
    ///   - draw: draws the tile. Two simultaneous requests may both draw it.
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
