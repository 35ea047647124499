import manifest from '../../package.json' with { type: 'json' }
import { type BindingName, bindings } from '../bindings.ts'
import { longChainId } from './options.ts'

interface DevnetNode {
  readonly chainId: number
  readonly name: string
  readonly rpcUrl: string
}

/** The summary that `npm start` prints when everything runs. */
export function formatSummary(stack: {
  readonly urls: Readonly<Record<BindingName | 'landing' | 'api', string>>
  readonly nodes: readonly DevnetNode[]
  readonly key: string
  readonly wallet: string
  readonly data: string
}): string {
  const { urls, nodes, key, wallet, data } = stack
  const describeNode = ({ chainId, name, rpcUrl }: DevnetNode) => [
    `Chain ${chainId}`,
    `${rpcUrl}  (${name}${chainId === longChainId ? `: its node answers until it is indexed, see ${urls.api}/ready` : ''})`,
  ]
  const rows = [
    ['Start page', urls.landing],
    ...bindings.map(({ name, title }) => [`${title} demo`, urls[name]]),
    ['API', `${urls.api}  (OpenAPI document: ${urls.api}/openapi.json)`],
    ...nodes.map(describeNode),
    ['Demo key', key],
    ['Documentation', `${manifest.homepage}  (on this machine: npx pnpm@12 site)`],
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
