import manifest from '../../../package.json' with { type: 'json' }

/** Headers of the page: it loads nothing and has no scripts. */
export const startPageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'",
}

/**
 * Creates the page at `/`, which a browser shows at the URL of the service. Its links are relative, as a proxy may add a path.
 *
 * @param hasReadiness - whether `/ready` is at the same URL.
 */
export const createStartPage = (hasReadiness: boolean): string => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <meta name="color-scheme" content="light dark">
  <title>Headwater</title>
  <main>
    <h1>Headwater ${manifest.version}</h1>
    <p>Balances, NFTs and prices of EVM chains. Requests need an API key.</p>
    <ul>
      <li><a href="${manifest.homepage}">Documentation</a></li>
      <li><a href="openapi.json">OpenAPI document</a></li>
      <li><a href="v1/evm/supported-chains">Chains</a>${hasReadiness ? ', and their <a href="ready">readiness</a>' : ''}</li>
    </ul>
  </main>
</html>
`
