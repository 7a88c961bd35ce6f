import Chronology
import HTTPTypes
package import Identity
package import Localization
package import Markup
package import WebCore

extension Field {
    /// An account form field with its submitted value and its error.
    ///
    /// Passwords are never sent back.
    package static func account(
        _ field: FormField,
        _ context: RequestContext,
        _ failure: AccountFailure?,
        kind: Kind = .text,
        hint: Text? = nil,
        autocomplete: StaticString = "off",
        isRequired: Bool = true,
        value: String? = nil
    ) -> Field {
        let isSecret =
            switch kind {
            case .newPassword, .currentPassword: true
            default: false
            }
        var filled = Field(
            name: field.rawValue,
            label: field.label,
            kind: kind,
            hint: hint,
            value: isSecret ? "" : context.form[field.rawValue] ?? value ?? "",
            error: failure?.problem(of: field),
            autocomplete: autocomplete,
            isRequired: isRequired
        )
        filled.icon = field.icon
        return filled
    }
}

extension AccountFailure {
    /// The error message for a field; nil if the field is valid.
    package func problem(of field: FormField) -> Text? {
        guard case .invalid(let problems) = self else { return nil }
        return problems.first { $0.field == field }?.kind.text(for: field)
    }
}

extension TaxiPageModule {
    /// Returns the form again with its errors, or throws if the whole request failed.
    package func refused(
        _ page: Page,
        _ failure: AccountFailure,
        _ context: RequestContext
    ) throws -> Response {
        if let failure = failure.failure { throw failure }
        var page = page
        guard case .wait(let until) = failure else {
            page.status = .unprocessableContent
            return response(page, to: context)
        }
        page.status = .tooManyRequests
        var response = self.response(page, to: context)
        let seconds = (until.milliseconds - context.now.milliseconds + 999) / 1_000
        response.headers[.retryAfter] = "\(max(1, seconds))"
        return response
    }
}

extension TaxiPageModule {
    /// Returns the profile of the signed-in user.
    package func profile(_ context: RequestContext) async throws -> Profile {
        guard let person = context.session?.person else { throw Failure.notSignedIn }
        return try await accounts.profile(of: person)
    }
}

extension TaxiPageModule {
    /// A link that leads back to the account page.
    package func backToAccount(_ context: RequestContext) -> HTML {
        """
        <div class="below"><p><a href="/account">\(context.say(CommonTexts.backToAccount))</a></p>\
        </div>
        """
    }
}
