import HTTPTypes
import Identity
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// Issue 34: "where a page and a program differ, the reason stands in the operation".
@Suite("Operations and pages")
struct PageCounterpartTests {
    /// Operations that change something, each with the pages that do the same.
    private static func pairs(
        _ body: @escaping @Sendable (API.Operation, PageCounterpart, [Route]) -> Void
    ) async throws {
        try await withSite(hasTaxis: false) { site in
            let site = Site(site.installation)
            let routes = site.routes.filter { $0.access != .application && $0.method == .post }
            for operation in site.operations where operation.route.method == .post {
                let counterpart = operation.counterpart
                #expect(counterpart != nil, "\(operation.name) has no row")
                guard let counterpart else { continue }
                let pages = counterpart.pages.compactMap { name in
                    routes.first { $0.name == name }
                }
                #expect(pages.count == counterpart.pages.count, "\(operation.name): no such page")
                body(operation, counterpart, pages)
            }
        }
    }

    @Test("every operation that changes something names its page, or says why there is none")
    func rows() async throws {
        try await Self.pairs { operation, counterpart, _ in
            let isExplained = counterpart.difference?.isEmpty == false
            #expect(!counterpart.pages.isEmpty || isExplained, "\(operation.name)")
        }
        try await withSite(hasTaxis: false) { site in
            let names = Site(site.installation).operations.filter { $0.route.method == .post }
                .map(\.name)
            let rows = Set(PageCounterpart.ofOperations.keys)
            #expect(rows.subtracting(names).isEmpty, "rows of operations that there are not")
        }
    }

    @Test("fields have the same limits as on the page, or the operation says why not")
    func fields() async throws {
        try await Self.pairs { operation, counterpart, pages in
            guard !pages.isEmpty else { return }
            let known = pages.flatMap(\.input)
            for field in operation.route.fields(in: .form) {
                let name = counterpart.names[field.name] ?? field.name
                let isSame = known.contains { $0.name == name && $0.kind == field.kind }
                let reason = counterpart.reasons[field.name]
                #expect(isSame || reason != nil, "\(operation.name): \(field.name) differs")
                #expect(!isSame || reason == nil, "\(operation.name): \(field.name) is the same")
            }
            let names = Set(operation.route.fields(in: .form).map(\.name)).union(["scopes"])
            let mentioned = Set(counterpart.reasons.keys).union(counterpart.names.keys)
            #expect(mentioned.subtracting(names).isEmpty, "\(operation.name): other fields")
        }
    }

    @Test("who may act on the page may let a program do it, and it refuses no more")
    func roles() async throws {
        try await Self.pairs { operation, counterpart, pages in
            guard !pages.isEmpty else { return }
            let scopes = pages.reduce(into: Set<Scope>()) { $0.formUnion($1.scopes) }
            let shares = scopes.isEmpty || !scopes.isDisjoint(with: operation.route.scopes)
            #expect(
                shares || counterpart.reasons["scopes"] != nil,
                "\(operation.name): the page is open to other scopes"
            )
            if operation.route.actors.contains(.person) {
                let access: Set<Access> = [.everybody, .person, .grave, .anonymous]
                #expect(pages.allSatisfy { access.contains($0.access) }, "\(operation.name)")
            }
            let known = pages.reduce(into: Set<HTTPResponse.Status>()) { $0.formUnion($1.statuses) }
            let further = operation.route.failures
                .subtracting([.created, .preconditionFailed]).subtracting(known)
            #expect(further.isEmpty, "\(operation.name) may fail with \(further)")
        }
    }
}
