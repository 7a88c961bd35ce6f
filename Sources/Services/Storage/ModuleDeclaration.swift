/// Something that a part of the program reads or changes; each service adds its own kinds.
package struct DataKind: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    package let rawValue: String

    /// Creates a kind from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// What people state of themselves.
    package static let profiles = Self(rawValue: "profiles")
    /// People without an account, for whom others act.
    package static let guests = Self(rawValue: "guests")
    /// The places that people saved.
    package static let places = Self(rawValue: "places")
    /// Rows of the databases, written by other ways than those of a service.
    package static let rows = Self(rawValue: "rows")
}

/// A part of the service that a city may leave out: what it reads and what it changes (R108, R109).
package struct ModuleDeclaration: Hashable, Sendable {
    /// The name of the module.
    package let name: String
    /// The kinds of data that its code may read.
    package let reads: Set<DataKind>
    /// The kinds of data that its code may change.
    package let writes: Set<DataKind>

    /// Declares a module.
    ///
    /// - Parameters:
    ///   - name: its name, different from that of any other module.
    ///   - reads: what it reads.
    ///   - writes: what it changes.
    package init(_ name: String, reads: Set<DataKind>, writes: Set<DataKind>) {
        self.name = name
        self.reads = reads
        self.writes = writes
    }
}

/// What the code that runs may read and change.
///
/// Code of a module runs within ``within(_:_:)``, together with all tasks that it starts. Services
/// check each access (``check(reads:)``, ``check(writes:)``), so a module cannot do more than it
/// declares, however it comes to do it. Code outside of any module may do everything.
package enum ModuleAccess {
    /// A module did something that it does not declare: a fault of the program.
    package struct Exceeded: Error, Equatable {
        /// The name of the module.
        package let module: String
        /// What it read or changed.
        package let kind: DataKind
        /// Whether it would have changed it.
        package let isWrite: Bool
    }

    @TaskLocal private static var current: ModuleDeclaration?

    /// Runs code of a module; nil runs code of none.
    package static func within<Value>(
        _ module: ModuleDeclaration?,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        guard let module else { return try await body() }
        return try await $current.withValue(module) { try await body() }
    }

    /// Runs the part of a service that changes a kind of data, which may change rows to that end.
    ///
    /// - Throws: ``Exceeded`` if the code that calls may not change it; what the body throws.
    @discardableResult
    package static func changing<Value>(
        _ kind: DataKind,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try check(writes: kind)
        return try await $current.withValue(nil) { try await body() }
    }

    /// Runs code on behalf of everybody, such as a service that carries out what several callers
    /// have asked for.
    package static func outside<Value>(_ body: () throws -> Value) rethrows -> Value {
        try $current.withValue(nil, operation: body)
    }

    /// Checks that the code may read a kind of data.
    package static func check(reads kind: DataKind) throws(Exceeded) {
        guard let current, !current.reads.contains(kind) else { return }
        throw Exceeded(module: current.name, kind: kind, isWrite: false)
    }

    /// Checks that the code may change a kind of data.
    package static func check(writes kind: DataKind) throws(Exceeded) {
        guard let current, !current.writes.contains(kind) else { return }
        throw Exceeded(module: current.name, kind: kind, isWrite: true)
    }
}
