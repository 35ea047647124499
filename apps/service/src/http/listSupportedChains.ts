import { wireName } from '@headwater/contract'
import type { ChainConfig } from '../config/Config.ts'
import { registrations } from '../operations/registrations.ts'

/** The operations that the list speaks of: all that take chains, answered by this version or not. */
const listed = ['balances', 'tokenInfo', 'tokenHolders', 'collectibles']

/** The body of `/v1/evm/supported-chains`. */
export function listSupportedChains(chains: readonly ChainConfig[]) {
  const answered = new Set<string>(registrations.map(({ name }) => name))
  const support = Object.fromEntries(
    listed.map((name) => [wireName(name), { supported: answered.has(name) }]),
  )
  return { chains: chains.map(({ id, name, tags }) => ({ name, chain_id: id, tags, ...support })) }
}
