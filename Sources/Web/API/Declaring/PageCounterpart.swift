/// The actions of pages that do what an operation does, and why the two differ.
///
/// Fields with the same meaning have the same limits on both sides, and who may act is the same,
/// unless a reason is given here; a test compares them (`PageCounterpartTests`).
struct PageCounterpart: Sendable {
    /// The names of the routes; none if no page does it.
    let pages: [String]
    /// What a page calls a field of the operation, where it has another name for it.
    let names: [String: String]
    /// Why the page lacks a field of the operation, or limits it in another way.
    let reasons: [String: String]
    /// Why something else differs, or why no page does it; nil if nothing does.
    let difference: String?

    /// An operation that pages have too.
    init(
        _ pages: String...,
        names: [String: String] = [:],
        reasons: [String: String] = [:],
        difference: String? = nil
    ) {
        precondition(!pages.isEmpty, "an operation without a page needs a reason")
        self.pages = pages
        self.names = names
        self.reasons = reasons
        self.difference = difference
    }

    private init(noneBecause reason: String) {
        pages = []
        names = [:]
        reasons = [:]
        difference = reason
    }

    /// An operation that no page has.
    static func none(because reason: String) -> PageCounterpart {
        PageCounterpart(noneBecause: reason)
    }
}

extension Operation {
    /// The actions of pages that do the same; nil for an operation that only reads.
    var counterpart: PageCounterpart? { PageCounterpart.ofOperations[name] }
}
