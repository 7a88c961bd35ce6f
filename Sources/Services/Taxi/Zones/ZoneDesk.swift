package import Chronology
package import Storage
package import Zones

/// The working draft of a city's zones, and the versions that were in force.
///
/// Drafts are stored as they were drawn, also while they overlap, so that no work is lost. Each
/// save is a revision; the last few are kept, to see what others changed and to go back. It does
/// one thing at a time: checking the largest city takes seconds, and must not take every thread.
package actor ZoneDesk {
    /// Why a draft is not saved.
    package enum Failure: Error, Hashable, Sendable {
        /// Somebody has saved, published or discarded it meanwhile: the revision that is there.
        case draftChanged(revision: Int64)
        /// There is nothing to go back to.
        case nothingToUndo
    }

    /// So many revisions are kept; each is a file of a megabyte in a large city.
    package static let revisionsKept: Int64 = 10

    /// The draft as it stands.
    package struct Work: Sendable {
        /// What a save must name; 0 before anything was ever saved.
        package internal(set) var revision: Int64 = 0
        /// The zones as they were drawn; nil where nobody works on any.
        package internal(set) var draft: ZoneDraft?
        /// The pseudonym of who saved it.
        package internal(set) var author: Int64?
        /// When it was saved.
        package internal(set) var saved: Moment?
        /// The zones in force when it was begun; nil where there were none.
        package internal(set) var base: UInt64?
        /// Whether the revision before it is still there, and nothing was published since.
        package internal(set) var canUndo = false
    }

    private let database: Database
    private let log: String
    private let store: RideStore
    /// The last revision that was read, and what came of checking it.
    private var known: (revision: Int64, draft: ZoneDraft)?
    private var checked: (revision: Int64, result: Result<ZoneSet, ZoneFailure>)?

    /// The desk of a city whose tables are beside its log.
    init(_ store: RideStore) {
        self.store = store
        database = store.database
        log = store.log.name
    }

    // MARK: The draft

    /// The draft as it stands now.
    ///
    /// - Throws: what the database throws, or a `ZoneFailure` where what it holds is no draft.
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

    /// The draft of a revision; nil where there was none, or it is no longer kept.
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

    /// Saves a draft.
    ///
    /// - Parameters:
    ///   - draft: the zones as they are drawn; nil to discard them.
    ///   - revision: that from which it was made.
    ///   - author: the pseudonym of who saves.
    ///   - base: the zones in force when the draft was begun.
    ///   - now: the moment.
    ///   - further: what is written in the same transaction.
    /// - Returns: the new revision.
    /// - Throws: ``Failure/draftChanged(revision:)``, and what the database throws.
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
            guard found == revision, try transaction.execute(insertion) == 1 else {
                throw Failure.draftChanged(revision: found)
            }
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

    /// Goes back to the revision before the last one, which becomes a new revision.
    ///
    /// - Parameters:
    ///   - revision: the last one, as the caller knows it.
    ///   - author: the pseudonym of who goes back.
    ///   - now: the moment.
    /// - Throws: ``Failure``, and what the database throws.
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

    /// The zones of a file as they were drawn.
    ///
    /// - Parameters:
    ///   - bytes: GeoJSON.
    ///   - naming: which properties identify and name zones.
    /// - Returns: the zones, whose borders may overlap.
    /// - Throws: everything that makes the file no draft, and its wrong borders with it.
    package func read(
        _ bytes: [UInt8],
        naming: ZoneNaming = ZoneNaming()
    ) throws(ZoneFailure) -> ZoneDraft {
        let draft = try ZoneDraft.read(bytes, file: "", naming: naming)
        try draft.checkBorders()
        return draft
    }

    /// The zones of a draft with borders that fit, or everything that is wrong with them.
    ///
    /// - Complexity: that of healing, once for each revision.
    package func check(_ work: Work) -> Result<ZoneSet, ZoneFailure>? {
        guard let draft = work.draft else { return nil }
        if let checked, checked.revision == work.revision { return checked.result }
        let result = Result { () throws(ZoneFailure) in try draft.healed() }
        checked = (work.revision, result)
        return result
    }

    // MARK: The versions

    /// The versions that were published, the newest first.
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

    /// A version and its zones; nil where there is none of that number.
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
