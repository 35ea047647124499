import { operations } from './operations.ts'
import { wireName } from './wireName.ts'

interface SupportedChain {
  readonly id: number
  readonly name: string
  readonly tags: readonly string[]
}

/**
 * The body of `/v1/evm/supported-chains`. An operation below the path of another one, such as `tokenBalance` below
 * `balances`, has no entry of its own.
 *
 * @param chains - The chains that the service serves.
 * @returns A plain object, ready for JSON.
 * @example
 * import { describeSupportedChains } from '@headwater/contract/schemas'
 * describeSupportedChains([{ id: 1, name: 'Ethereum', tags: ['default'] }])
 */
export function describeSupportedChains(chains: readonly SupportedChain[]) {
  const all = Object.values(operations)
  const listed = all.filter(({ path }) => !all.some((other) => path.startsWith(`${other.path}/`)))
  const support = Object.fromEntries(
    listed.map(({ name }) => [wireName(name), { supported: true }]),
  )
  return { chains: chains.map(({ id, name, tags }) => ({ name, chain_id: id, tags, ...support })) }
}
