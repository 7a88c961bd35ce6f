package import Chronology
package import Storage
package import Zones

/// The draft of a city's zones and the versions that were in force.
///
/// Drafts are stored as drawn, even while zones overlap, so that no work is lost. Each save creates
/// a revision; the last few are kept to compare and undo changes. The actor does one thing at a
/// time, because checking the largest city takes seconds and must not occupy every thread.
package actor ZoneDrafts {
    /// The reason why a draft was not saved.
    package enum Failure: Error, Hashable, Sendable {
        /// Another person saved, published or discarded the draft, which now has this revision.
        case draftChanged(revision: Int64)
        /// There is no earlier revision.
        case nothingToUndo
    }

    /// The number of revisions kept; each takes a megabyte in a large city.
    package static let revisionsKept: Int64 = 10

    /// The current draft.
    package struct Work: Sendable {
        /// The revision, which a save must include; 0 before the first save.
        package internal(set) var revision: Int64 = 0
        /// The zones as drawn; nil if there is no draft.
        package internal(set) var draft: ZoneDraft?
        /// The number of the person who saved it.
        package internal(set) var author: Int64?
        package internal(set) var saved: Moment?
        /// The hash of the zones in force when the draft was started; nil if there were none.
        package internal(set) var base: UInt64?
        /// Whether the previous revision is kept and nothing was published since.
        package internal(set) var canUndo = false
    }

    private let database: Database
    private let log: String
    private let store: RideStore
    /// The last revision that was read, with the result of its check.
    private var known: (revision: Int64, draft: ZoneDraft)?
    private var checked: (revision: Int64, result: Result<ZoneSet, ZoneFailure>)?

    /// Creates access to the draft and versions of a city.
    init(_ store: RideStore) {
        self.store = store
        database = store.database
        log = store.log.name
    }

    // MARK: Draft

    /// Returns the current draft.
    ///
    /// - Throws: any database error, or a `ZoneFailure` if the stored data is invalid.
    package func work() async throws -> Work {
        let rows = try await database.read { [log] transaction in
            try transaction.rows(
                """
                SELECT revision, author, saved, base, is_published
                FROM taxi_zone_draft WHERE log = \(log) ORDER BY revision DESC LIMIT 2
                """
            )
        }
        guard let row = rows.first else { return Work() }
        let revision: Int64 = try row.value("revision")
        let base: Int64? = try row.value("base")
        return Work(
            revision: revision,
            draft: try await draft(revision),
            author: try row.value("author"),
            saved: Moment(milliseconds: try row.value("saved")),
            base: base.map { UInt64(bitPattern: $0) },
            canUndo: try rows.count > 1 && !row.value("is_published", as: Bool.self)
        )
    }

    /// Returns the draft of a revision; nil if it does not exist or is no longer kept.
    package func draft(_ revision: Int64) async throws -> ZoneDraft? {
        if let known, known.revision == revision { return known.draft }
        let row = try await database.read { [log] transaction in
            try transaction.row(
                """
                SELECT code_property, name_property, geojson FROM taxi_zone_draft
                WHERE log = \(log) AND revision = \(revision)
                """
            )
        }
        guard let row, let bytes = try row.value("geojson", as: [UInt8]?.self) else { return nil }
        let draft = try ZoneDraft.read(
            bytes,
            file: "",
            naming: ZoneNaming(
                codeProperty: row.value("code_property"),
                nameProperty: row.value("name_property")
            )
        )
        if revision >= known?.revision ?? 0 { known = (revision, draft) }
        return draft
    }

    /// Saves a draft as a new revision.
    ///
    /// - Parameters:
    ///   - draft: the zones as drawn; nil to discard the draft.
    ///   - revision: the revision that it is based on.
    ///   - author: the number of the person who saves.
    ///   - base: the zones in force when the draft was started.
    ///   - now: the current time.
    ///   - further: statements of the same transaction.
    /// - Returns: the new revision.
    /// - Throws: ``Failure/draftChanged(revision:)``, or any database error.
    @discardableResult
    package func save(
        _ draft: ZoneDraft?,
        from revision: Int64,
        by author: Int64?,
        base: UInt64?,
        at now: Moment,
        with further: [SQL] = []
    ) async throws -> Int64 {
        let naming = draft?.writtenNaming
        let bytes = draft?.geoJSON
        let base = draft == nil ? nil : base.map { Int64(bitPattern: $0) }
        let next = revision + 1
        let insertion: SQL = """
            INSERT INTO taxi_zone_draft (log, revision, author, saved, base,
                is_published, code_property, name_property, geojson)
            VALUES (\(log), \(next), \(author), \(now.milliseconds), \(base), 0,
                \(naming?.codeProperty), \(naming?.nameProperty), \(bytes))
            ON CONFLICT DO NOTHING
            """
        try await database.write { [log] transaction in
            let last = try transaction.row(
                "SELECT max(revision) AS last FROM taxi_zone_draft WHERE log = \(log)"
            )
            let found = try last?.value("last", as: Int64?.self) ?? 0
            guard found == revision else { throw Failure.draftChanged(revision: found) }
            let saved = try transaction.execute(insertion)
            precondition(saved == 1, "A revision of the draft exists beyond the last one.")
            try transaction.execute(
                """
                DELETE FROM taxi_zone_draft
                WHERE log = \(log) AND revision <= \(next - Self.revisionsKept)
                """
            )
            try transaction.execute(further)
        }
        return next
    }

    /// Restores the previous revision as a new revision.
    ///
    /// - Parameters:
    ///   - revision: the last revision, as known to the caller.
    ///   - author: the number of the person who restores it.
    ///   - now: the current time.
    /// - Throws: ``Failure``, or any database error.
    package func undo(from revision: Int64, by author: Int64?, at now: Moment) async throws {
        let work = try await work()
        guard work.canUndo, work.revision == revision else { throw Failure.nothingToUndo }
        let before = try await draft(revision - 1)
        let row = try await database.read { [log] transaction in
            try transaction.row(
                """
                SELECT base FROM taxi_zone_draft
                WHERE log = \(log) AND revision = \(revision - 1)
                """
            )
        }
        let base: Int64? = try row?.value("base")
        try await save(
            before,
            from: revision,
            by: author,
            base: base.map { UInt64(bitPattern: $0) },
            at: now
        )
    }

    /// Parses the zones of a file as drawn.
    ///
    /// - Parameters:
    ///   - bytes: the GeoJSON file.
    ///   - naming: the properties that identify and name zones.
    /// - Returns: the zones, whose borders may overlap.
    /// - Throws: all problems of the file, including invalid borders.
    package func read(
        _ bytes: [UInt8],
        naming: ZoneNaming = ZoneNaming()
    ) throws(ZoneFailure) -> ZoneDraft {
        let draft = try ZoneDraft.read(bytes, file: "", naming: naming)
        try draft.checkBorders()
        return draft
    }

    /// Returns the zones of a draft with repaired borders, or all of its problems.
    ///
    /// - Complexity: that of the repair, once per revision.
    package func check(_ work: Work) -> Result<ZoneSet, ZoneFailure>? {
        guard let draft = work.draft else { return nil }
        if let checked, checked.revision == work.revision { return checked.result }
        let result = Result { () throws(ZoneFailure) in try draft.healed() }
        checked = (work.revision, result)
        return result
    }

    // MARK: Versions

    /// Lists the published versions, newest first.
    package func versions(limit: Int = 200) async throws -> [ZoneVersion] {
        try await database.read { [log] transaction in
            try transaction.rows(
                """
                SELECT * FROM taxi_zone_version WHERE log = \(log)
                ORDER BY number DESC LIMIT \(limit)
                """
            ).map { try ZoneVersion($0) }
        }
    }

    /// Returns a version with its zones; nil if there is none with that number.
    package func version(_ number: Int64) async throws -> (version: ZoneVersion, zones: ZoneSet)? {
        let version = try await database.read { [log] transaction in
            try transaction.row(
                "SELECT * FROM taxi_zone_version WHERE log = \(log) AND number = \(number)"
            ).map { try ZoneVersion($0) }
        }
        guard let version, let zones = try await store.zones(version.hash) else { return nil }
        return (version, zones)
    }
}
