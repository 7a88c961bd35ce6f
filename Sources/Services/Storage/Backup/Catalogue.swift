/// The structure of a table as the engine reports it.
struct TableShape: Sendable, Equatable {
    struct Column: Sendable, Equatable {
        var name: String
        /// The type of its values: `integer`, `text` or `bytes`.
        var kind: String
    }

    var name: String
    /// The columns in the order of their creation.
    var columns: [Column]
    /// The indices of the primary key's columns, in the key's order.
    var key: [Int]

    /// Returns a statement that reads rows in the order of the primary key.
    ///
    /// - Parameters:
    ///   - row: the last row of the previous page; nil for the first page.
    ///   - limit: the largest number of rows.
    /// - Returns: the statement.
    func page(after row: [SQLValue]?, limit: Int) -> SQL {
        let keys = key.map { SQL(quoting: columns[$0].name) }
        var statement: SQL = "SELECT \(Self.list(columns.map { SQL(quoting: $0.name) }))"
        statement = "\(statement) FROM \(SQL(quoting: name))"
        if let row {
            let values: [SQL] = key.map { "\(row[$0])" }
            statement = "\(statement) WHERE (\(Self.list(keys))) > (\(Self.list(values)))"
        }
        return "\(statement) ORDER BY \(Self.list(keys)) LIMIT \(limit)"
    }

    /// Returns a statement that inserts a row.
    func insertion(of row: [SQLValue]) -> SQL {
        let names = Self.list(columns.map { SQL(quoting: $0.name) })
        let values = Self.list(row.map { "\($0)" })
        return "INSERT INTO \(SQL(quoting: name)) (\(names)) VALUES (\(values))"
    }

    /// The statement that deletes all rows, which migrations may have inserted.
    var clearing: SQL { "DELETE FROM \(SQL(quoting: name))" }

    private static func list(_ parts: [SQL]) -> SQL {
        parts.dropFirst().reduce(parts.first ?? "") { "\($0), \($1)" }
    }
}

extension SQL {
    /// Quotes a name from the catalogue.
    fileprivate init(quoting name: String) {
        let quoted = name.flatMap { $0 == "\"" ? "\"\"" : "\($0)" }
        pieces = [.text("\"" + String(quoted) + "\"")]
    }
}

/// Reads the engine's catalogue of tables.
enum Catalogue {
    /// Returns the name of an arbitrary table; nil if there is none.
    static func anyTable(in transaction: Transaction) throws -> String? {
        try transaction.row("\(.columnCatalogue)")?.value("table_name")
    }

    /// Lists the tables, each after the tables that it references, otherwise by name.
    ///
    /// - Throws: `BackupFailure.unfit`.
    static func tables(in transaction: Transaction) throws -> [TableShape] {
        var shapes: [TableShape] = []
        var keyPlaces: [[(place: Int64, column: Int)]] = []
        for row in try transaction.rows("\(.columnCatalogue)") {
            let table: String = try row.value("table_name")
            if shapes.last?.name != table {
                shapes.append(TableShape(name: table, columns: [], key: []))
                keyPlaces.append([])
            }
            let last = shapes.count - 1
            let kind: String = try row.value("kind")
            guard ["integer", "text", "bytes"].contains(kind) else {
                throw BackupFailure.unfit(table: table)
            }
            let place: Int64 = try row.value("key_place")
            if place > 0 { keyPlaces[last].append((place, shapes[last].columns.count)) }
            shapes[last].columns.append(TableShape.Column(name: try row.value("name"), kind: kind))
        }
        for (place, keys) in keyPlaces.enumerated() {
            guard !keys.isEmpty else { throw BackupFailure.unfit(table: shapes[place].name) }
            shapes[place].key = keys.sorted { $0.place < $1.place }.map(\.column)
        }
        return try ordered(shapes.sorted { $0.name < $1.name }, in: transaction)
    }

    private static func ordered(
        _ shapes: [TableShape],
        in transaction: Transaction
    ) throws -> [TableShape] {
        var parents: [String: Set<String>] = [:]
        for row in try transaction.rows("\(.referenceCatalogue)") {
            parents[try row.value("child"), default: []].insert(try row.value("parent"))
        }
        var left = shapes
        var ordered: [TableShape] = []
        while !left.isEmpty {
            let names = Set(left.map(\.name))
            guard
                let next = left.firstIndex(where: { names.isDisjoint(with: parents[$0.name] ?? []) }
                )
            else { throw BackupFailure.unfit(table: left[0].name) }
            ordered.append(left.remove(at: next))
        }
        return ordered
    }
}

extension SQLWord {
    /// The statement that lists the columns of all tables: `table_name`, `name`, `kind`, and
    /// `key_place`, the position in the primary key counted from 1, or 0.
    static func columnListing(in dialect: Dialect) -> String {
        switch dialect {
        case .sqlite:
            """
            SELECT m.name AS table_name, c.name AS name, c.pk AS key_place,
                CASE upper(c.type) WHEN 'INTEGER' THEN 'integer' WHEN 'TEXT' THEN 'text'
                    WHEN 'BLOB' THEN 'bytes' ELSE '' END AS kind
            FROM sqlite_master m JOIN pragma_table_info(m.name) c
            WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_'
            ORDER BY m.name, c.cid
            """
        case .postgres:
            """
            SELECT CAST(t.relname AS TEXT) AS table_name, CAST(a.attname AS TEXT) AS name,
                CAST(coalesce(array_position(
                    string_to_array(CAST(i.indkey AS TEXT), ' '), CAST(a.attnum AS TEXT)
                ), 0) AS BIGINT) AS key_place,
                CASE a.atttypid WHEN 20 THEN 'integer' WHEN 25 THEN 'text' WHEN 17 THEN 'bytes'
                    ELSE '' END AS kind
            FROM pg_class t
            JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
            LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
            WHERE t.relkind IN ('r', 'p')
                AND t.relnamespace = CAST(current_schema() AS regnamespace)
            ORDER BY CAST(t.relname AS TEXT) COLLATE "C", a.attnum
            """
        }
    }

    /// The statement that lists the references between tables: `child`, `parent`.
    static func referenceListing(in dialect: Dialect) -> String {
        switch dialect {
        case .sqlite:
            """
            SELECT m.name AS child, f."table" AS parent
            FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
            WHERE m.type = 'table'
            """
        case .postgres:
            """
            SELECT CAST(child.relname AS TEXT) AS child, CAST(parent.relname AS TEXT) AS parent
            FROM pg_constraint c JOIN pg_class child ON child.oid = c.conrelid
            JOIN pg_class parent ON parent.oid = c.confrelid
            WHERE c.contype = 'f' AND child.relnamespace = CAST(current_schema() AS regnamespace)
            """
        }
    }
}
