import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { ChainDependencies } from '../store/ChangeIndex.ts'
import type { ChainReader } from './ChainReader.ts'
import type { ChainValue } from './readValues.ts'

/** What a response depends on, beside the status of its chains. It is the same at later blocks that change nothing of it. */
export interface Dependencies {
  /** By chain id, of all chains in the response. */
  readonly chains: ReadonlyMap<number, ChainDependencies>
  /** Whether values that were read from nodes are the same at later heads; undefined if there are none. */
  readonly isSameAt?: ((heads: ReadonlyMap<number, BlockRef>) => Promise<boolean>) | undefined
  /** Whether it also depends on what changes without a new block, such as token lists. */
  readonly isVolatile?: boolean
}

/**
 * Compares the amounts of an account with those at later heads.
 *
 * @param amounts - by chain id and asset.
 * @returns a function that resolves to false also when no node returns an amount; undefined without amounts.
 */
export function compareAmounts(
  chainReader: Pick<ChainReader, 'amounts'>,
  account: string,
  amounts: ReadonlyMap<number, ReadonlyMap<string, ChainValue>>,
): Dependencies['isSameAt'] {
  if ([...amounts.values()].every(({ size }) => size === 0)) {
    return undefined
  }
  return async (heads) => {
    const compared = await Promise.all(
      [...amounts].map(async ([chainId, known]) => {
        const head = heads.get(chainId)
        const read = head && (await chainReader.amounts(chainId, account, [...known.keys()], head))
        return [...known].every(([asset, amount]) => read?.get(asset) === amount)
      }),
    )
    return compared.every(Boolean)
  }
}
