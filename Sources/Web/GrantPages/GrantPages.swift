import Markup
package import TaxiPages
package import WebCore

/// The pages with which people let applications act for them, and the endpoints of these
/// applications.
package struct GrantPages: TaxiPageModule {
    /// The services and settings that all taxi pages share.
    package let environment: TaxiEnvironment

    /// Creates the pages of a site.
    package init(_ environment: TaxiEnvironment) {
        self.environment = environment
    }

    /// All routes of this module.
    package var routes: [Route] {
        consentRoutes + tokenRoutes + deviceRoutes + connectedRoutes + [metadataRoute]
    }

    /// The name of this server for applications (RFC 8414, 2): its address without a slash.
    func issuer(_ context: RequestContext) -> String {
        String(full("/", context).dropLast())
    }

    /// An address of this site in full.
    func full(_ path: StaticString, _ context: RequestContext) -> String {
        full(.init(path), context)
    }
}
