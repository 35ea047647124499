/** The closing table of `npm start`. */
export function table(stack: {
  readonly urls: { landing: string; react: string; vue: string; svelte: string; api: string }
  readonly nodes: readonly string[]
  readonly key: string
  readonly wallet: string
  readonly data: string
}): string {
  const { urls, nodes, key, wallet, data } = stack
  const rows = [
    ['Start here', urls.landing],
    ['React demo', urls.react],
    ['Vue demo', urls.vue],
    ['Svelte demo', urls.svelte],
    ['API', `${urls.api}  (described in ${urls.api}/openapi.json)`],
    ['Nodes', nodes.join('  ')],
    ['Demo key', key],
  ]
  return [
    '',
    'Headwater is running:',
    '',
    ...rows.map(([name, value]) => `  ${name!.padEnd(12)} ${value}`),
    '',
    'Ask for a wallet:',
    '',
    `  curl -H 'X-Service-Api-Key: ${key}' '${urls.api}/v1/evm/balances/${wallet}'`,
    '',
    `Ctrl-C stops everything. What was indexed stays in ${data}.`,
  ].join('\n')
}
