import { relative } from 'node:path'
import type { Config } from '../config/Config.ts'
import { formatReason } from '../formatReason.ts'
import { openLocalKey } from '../keys/openLocalKey.ts'
import type { Store } from '../store/Store.ts'

/** vitalik.eth, which has balances on most chains. */
const exampleWallet = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

/** Prints the URL, a key if one can be issued, and commands to try. */
export async function printIntroduction(url: string, config: Config, store: Store): Promise<void> {
  // Clients may have other keys: the service is useful without this one.
  const key = await openLocalKey(store, config.dataFolder).catch(formatReason)
  const secret = typeof key === 'string' ? '<key>' : key.secret
  const chains = config.chains.map(({ id, name }) => `${name} (${id})`).join(', ')
  const ids = config.chains.map(({ id }) => id).join(',')
  process.stdout.write(
    [
      `${chains} at ${url}`,
      typeof key === 'string'
        ? `API key: none was issued (${key}); the next start tries again`
        : `API key: ${secret} (in ${relative('', key.file)})`,
      '',
      'Progress of indexing:',
      `  curl ${url}/ready`,
      'Balances of a wallet, from the node until its chain is indexed:',
      `  curl --header 'X-Service-Api-Key: ${secret}' '${url}/v1/evm/balances/${exampleWallet}?chain_ids=${ids}'`,
      '',
      '',
    ].join('\n'),
  )
}
