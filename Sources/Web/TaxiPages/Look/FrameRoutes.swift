import Encoding
import HTTPTypes
import Localization
import Markup
package import WebCore

/// The routes that all pages rely on: assets, the language choice and the web app manifest.
package struct FramePages: TaxiPageModule {
    /// The services and settings that all taxi pages share.
    package let environment: TaxiEnvironment

    /// Creates the shared routes of a site.
    package init(_ environment: TaxiEnvironment) {
        self.environment = environment
    }

    /// The routes for assets, language, manifest and service worker.
    package var routes: [Route] {
        [
            .get("/assets/{hash}/{name}", as: "assets.file", for: .anonymous, asset)
                .taking([
                    .path("hash", .text(64), "The version of the file."),
                    .path("name", .text(100), "The name of the file."),
                ])
                .answering(.file("*/*")),
            .get("/language", as: "language", for: .anonymous, chooseLanguage)
                .taking([
                    .query("to", .choice(["en", "it"]), "The language of pages."),
                    .query("back", .text(2_000), "The page that follows, within this site."),
                ])
                .answering(.redirect),
            .get("/manifest.webmanifest", as: "manifest.webmanifest", for: .anonymous) { _ in
                manifest
            }
            .answering(.json),
            .get("/service-worker.js", as: "service-worker.js", for: .anonymous) { _ in
                var response = Response(
                    type: "text/javascript; charset=utf-8",
                    bytes: assets.serviceWorker
                )
                response.headers[.cacheControl] = "no-cache"
                return response
            }
            .answering(.file("text/javascript")),
            .get("/offline", as: "offline", for: .anonymous) { context in
                response(offline(OfflineTexts.title, OfflineTexts.advice), to: context)
            },
            .get("/offline/page", as: "offline.page", for: .anonymous) { context in
                response(offline(OfflineTexts.title, OfflineTexts.later, isPage: true), to: context)
            },
            .get("/offline/server", as: "offline.server", for: .anonymous) { context in
                response(
                    offline(OfflineTexts.silent, OfflineTexts.later, isPage: true),
                    to: context
                )
            },
            .get("/offline/form", as: "offline.form", for: .anonymous) { context in
                response(offline(OfflineTexts.title, OfflineTexts.lost), to: context)
            },
        ]
    }

    private func asset(_ context: RequestContext) throws -> Response {
        guard let asset = context.parameters["name"].flatMap(assets.asset(named:)) else {
            throw Failure.notFound
        }
        return Response(asset, isCurrent: context.parameters["hash"] == asset.hash, for: context)
    }

    private func chooseLanguage(_ context: RequestContext) throws -> Response {
        guard let language = context.query["to"].flatMap(Language.init(rawValue:)) else {
            throw Failure.badRequest
        }
        let back = context.query["back"].flatMap(Address.init(withinServer:)) ?? Address("/")
        return Response.redirect(to: back).setting(web.languageCookie(language))
    }

    private var manifest: Response {
        let name = JSONString.quoted(web.settings.name)
        let pictures = assets.pictures.map { pixels, asset in
            """
            {"src":"\(asset.address.text)","sizes":"\(pixels)x\(pixels)","type":"image/png",\
            "purpose":"any"},
            """
        }.joined()
        let json = """
            {"id":"/","name":\(name),"short_name":\(name),"start_url":"/","scope":"/",\
            "display":"standalone","theme_color":"#0b3a66","background_color":"#f6f4ef",\
            "icons":[\(pictures){"src":"\(assets.icon.address.text)","sizes":"any",\
            "type":"image/svg+xml","purpose":"any"},\
            {"src":"\(assets.icon.address.text)","sizes":"any",\
            "type":"image/svg+xml","purpose":"maskable"}]}
            """
        return Response(type: "application/manifest+json", bytes: Array(json.utf8))
    }

    /// The page to show instead of one that could not be loaded.
    ///
    /// If it replaces a page and not the response to a form, `app.js` retries automatically.
    ///
    /// It is kept for every language, so it has both.
    private func offline(_ title: Text, _ advice: Text, isPage: Bool = false) -> Page {
        let again: HTML = """
            <p class="actions"><a class="button primary" href="">\(Icon.refresh.html) \
            <span>\(OfflineTexts.again.in(.english)) · \
            <span lang="it">\(OfflineTexts.again.in(.italian))</span></span></a></p>
            """
        return Page(
            title,
            body: """
                <section class="dialog">\(Icon.offline.html)
                <h1 data-offline\(HTML.when(isPage, " data-retry"))>\(title.in(.english))</h1>
                <p class="lead">\(advice.in(.english))</p>
                <div lang="it"><h2>\(title.in(.italian))</h2>
                <p class="lead">\(advice.in(.italian))</p></div>
                \(HTML.when(isPage, again))</section>
                """
        )
    }
}
