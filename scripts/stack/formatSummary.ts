import manifest from '../../package.json' with { type: 'json' }
import { type BindingName, bindings } from '../bindings.ts'

/** The summary that `npm start` prints when everything runs. */
export function formatSummary(stack: {
  readonly urls: Readonly<Record<BindingName | 'landing' | 'api', string>>
  readonly nodes: readonly string[]
  readonly key: string
  readonly wallet: string
  readonly data: string
}): string {
  const { urls, nodes, key, wallet, data } = stack
  const rows = [
    ['Start page', urls.landing],
    ...bindings.map(({ name, title }) => [`${title} demo`, urls[name]]),
    ['API', `${urls.api}  (OpenAPI document: ${urls.api}/openapi.json)`],
    ['Nodes', nodes.join('  ')],
    ['Demo key', key],
    ['Documentation', `${manifest.homepage}  (on this machine: pnpm site)`],
  ]
  return [
    '',
    'Headwater is running:',
    '',
    ...rows.map(([name, value]) => `  ${name!.padEnd(13)} ${value}`),
    '',
    'Request the balances of a wallet:',
    '',
    `  curl -H 'X-Service-Api-Key: ${key}' '${urls.api}/v1/evm/balances/${wallet}'`,
    '',
    'Alt+Shift+H in a demo opens the devtools.',
    `Ctrl-C stops everything. Indexed data stays in ${data}.`,
  ].join('\n')
}
