import Dispatching
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// What is shown about the request or taxi that the address selects.
extension OperationPages {
    /// The drawer; nil if nothing is selected.
    ///
    /// Closing it leads to `address`, or to the same view without a selection.
    func drawer(
        _ view: OperationsView,
        closing address: Address? = nil,
        _ context: RequestContext
    ) async throws -> HTML? {
        let close = address ?? view.selecting(nil).address
        switch view.selection {
        case nil: return nil
        case .request(let number):
            let title = RequestFileTexts.title(number)
            guard let file = try await taxi.file(of: number) else {
                return drawer(title, close, nothing(context), context)
            }
            return drawer(
                title,
                close,
                """
                \(try await requestParts(file, number, context))
                \(ownPage(requestAddress(number), context))
                """,
                context
            )
        case .taxi(let number):
            guard let (view, stand, code) = try await taxiFile(number) else {
                let title = TaxiFileTexts.title(String(number.rawValue))
                return drawer(title, close, nothing(context), context)
            }
            return drawer(
                TaxiFileTexts.title(code),
                close,
                """
                \(try await taxiParts(view, stand, code, context))
                \(ownPage(self.address(of: number), context))
                """,
                context
            )
        }
    }

    private func drawer(
        _ title: Text,
        _ close: Address,
        _ content: HTML,
        _ context: RequestContext
    ) -> HTML {
        """
        <div class="drawer-head"><h2 tabindex="-1">\(context.say(title))</h2>\
        <a class="button plain round shut" href=\(close)>\(Icon.close.html)\
        <span class="hidden">\(context.say(KeyTexts.close))</span></a></div>
        <div id="operations-drawer" data-live="operations">\(content)</div>
        """
    }

    private func nothing(_ context: RequestContext) -> HTML {
        "<p>\(context.say(RequestFileTexts.unknown))</p>"
    }

    private func ownPage(_ address: Address, _ context: RequestContext) -> HTML {
        "<p><a href=\(address)>\(context.say(RequestFileTexts.file))</a></p>"
    }
}
