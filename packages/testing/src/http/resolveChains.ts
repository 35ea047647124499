import type { FakeChain } from '../world/FakeChain.ts'
import { RefusalError } from './RefusalError.ts'

/** Which chains a request is about. */
export interface ResolvedChains {
  /** Those that there are, each once, by id. */
  readonly chains: readonly FakeChain[]
  /** Ids that were asked for and that there are not. */
  readonly unsupportedChainIds: readonly number[]
}

/**
 * Finds the chains that ids and tags name. Without any, those tagged `default`.
 *
 * @throws {RefusalError} 400 for the name of a chain, and for a tag that no chain carries.
 */
export function resolveChains(
  known: readonly FakeChain[],
  asked: readonly (number | string)[] | undefined,
): ResolvedChains {
  const found = new Set<FakeChain>()
  const unsupportedChainIds: number[] = []
  for (const each of asked ?? ['default']) {
    const matching = known.filter(({ id, tags }) =>
      typeof each === 'number' ? id === each : tags.includes(each),
    )
    for (const chain of matching) found.add(chain)
    if (matching.length > 0 || asked === undefined) continue
    if (typeof each === 'number') unsupportedChainIds.push(each)
    else {
      refuseChainNames(known, [each], 'chain_ids')
      const tags = [...new Set(known.flatMap((chain) => chain.tags))].sort().join(', ')
      const sentence = `No chain carries the tag "${each}"; there are: ${tags}`
      throw new RefusalError(400, 'UNKNOWN_CHAIN_TAG', sentence, { param: 'chain_ids' })
    }
  }
  return { chains: [...found].sort((a, b) => a.id - b.id), unsupportedChainIds }
}

/**
 * Says of names of the service's chains, which are never accepted, that this is what they are. Other values pass.
 *
 * @throws {RefusalError} 400 for the name of a chain.
 */
export function refuseChainNames(
  known: readonly FakeChain[],
  values: readonly unknown[],
  param: string,
): void {
  const simple = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
  for (const value of values)
    if (typeof value === 'string' && known.some(({ name }) => simple(name) === simple(value)))
      throw new RefusalError(
        400,
        'CHAIN_NAME_NOT_ACCEPTED',
        `${param} takes no names; "${value}" is the name of a chain`,
        { param },
      )
}
