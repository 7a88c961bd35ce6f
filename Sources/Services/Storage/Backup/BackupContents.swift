import Crypto

/// Parses the contents of a backup.
struct BackupContents {
    /// The parts of a backup, in this order.
    enum Event {
        /// The migrations of the schema; occurs once, at the beginning.
        case header([MigrationStep])
        /// A table, before its rows.
        case table(TableShape)
        /// Some rows of the current table.
        case rows([[SQLValue]])
    }

    private let path: String
    private let reader: BackupReader

    init(_ path: String) throws(BackupFailure) {
        self.path = path
        reader = try BackupReader(path)
    }

    /// Reads the whole backup.
    ///
    /// - Parameter body: called for each part.
    /// - Returns: a summary of the contents.
    /// - Throws: errors of the body, `BackupFailure` if the file is invalid.
    @discardableResult
    func read(_ body: (Event) throws -> Void) throws -> BackupSummary {
        var steps: [MigrationStep]?
        var tables: [BackupSummary.Table] = []
        var scan: Scan?
        while let (kind, payload) = try reader.next() {
            switch kind {
            case .header:
                guard steps == nil else { throw BackupFailure.damaged(path) }
                let found = try header(payload)
                steps = found
                try body(.header(found))
            case .table:
                guard steps != nil, scan == nil else { throw BackupFailure.damaged(path) }
                let shape = try table(payload)
                scan = Scan(shape: shape)
                try body(.table(shape))
            case .rows:
                guard let rows = scan?.rows(payload) else { throw BackupFailure.damaged(path) }
                try body(.rows(rows))
            case .tableEnd:
                guard let table = scan?.end(payload) else { throw BackupFailure.damaged(path) }
                tables.append(table)
                scan = nil
            case .end: break
            }
        }
        guard let steps, scan == nil else { throw BackupFailure.damaged(path) }
        return BackupSummary(migrations: steps.map(\.name), tables: tables)
    }

    private func header(_ payload: [UInt8]) throws(BackupFailure) -> [MigrationStep] {
        guard let values = RowCoding.values(in: payload), values.count.isMultiple(of: 2) else {
            throw .damaged(path)
        }
        var steps: [MigrationStep] = []
        for place in stride(from: 0, to: values.count, by: 2) {
            guard case .text(let name) = values[place],
                case .bytes(let digest) = values[place + 1]
            else { throw .damaged(path) }
            steps.append(MigrationStep(name: name, digest: digest))
        }
        return steps
    }

    private func table(_ payload: [UInt8]) throws(BackupFailure) -> TableShape {
        guard let values = RowCoding.values(in: payload), let shape = TableShape(values) else {
            throw .damaged(path)
        }
        return shape
    }

    /// The state of reading one table.
    private struct Scan {
        let shape: TableShape
        private var hash = SHA256()
        private var count = 0

        init(shape: TableShape) {
            self.shape = shape
        }

        /// Decodes the rows of a payload; nil if it is not a sequence of complete rows.
        mutating func rows(_ payload: [UInt8]) -> [[SQLValue]]? {
            let width = shape.columns.count
            precondition(width > 0, "A table without columns was accepted.")
            guard let values = RowCoding.values(in: payload), values.count.isMultiple(of: width)
            else { return nil }
            hash.update(data: payload)
            count += values.count / width
            return stride(from: 0, to: values.count, by: width).map { start in
                Array(values[start..<(start + width)])
            }
        }

        /// Returns the summary of the table if its end frame matches its rows.
        func end(_ payload: [UInt8]) -> BackupSummary.Table? {
            let digest = Array(hash.finalize())
            guard RowCoding.values(in: payload) == [.integer(Int64(count)), .bytes(digest)] else {
                return nil
            }
            return BackupSummary.Table(name: shape.name, rows: count, digest: digest)
        }
    }
}

extension TableShape {
    /// The encoding in a backup: the name, pairs of column name and kind, null,
    /// and the key columns.
    var values: [SQLValue] {
        [.text(name)] + columns.flatMap { [.text($0.name), .text($0.kind)] as [SQLValue] } + [.null]
            + key.map { .integer(Int64($0)) }
    }

    /// Decodes ``values``; nil if they are invalid.
    init?(_ values: [SQLValue]) {
        guard case .text(let name)? = values.first, let divider = values.firstIndex(of: .null),
            !divider.isMultiple(of: 2), divider > 1
        else { return nil }
        self.init(name: name, columns: [], key: [])
        for place in stride(from: 1, to: divider, by: 2) {
            guard case .text(let name) = values[place], case .text(let kind) = values[place + 1]
            else { return nil }
            columns.append(Column(name: name, kind: kind))
        }
        for value in values[(divider + 1)...] {
            guard case .integer(let place) = value, columns.indices.contains(Int(place)) else {
                return nil
            }
            key.append(Int(place))
        }
    }
}
