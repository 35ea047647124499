import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { ChainDependencies } from '../store/ChangeIndex.ts'
import type { ChainReader } from './ChainReader.ts'
import type { ChainValue } from './readValues.ts'

/** What a response depends on, beside the status of its chains. It is the same at later blocks that change nothing of it. */
export interface Dependencies {
  /** By chain id, of all chains in the response. */
  readonly chains: ReadonlyMap<number, ChainDependencies>
  /** Whether values that were read from nodes are the same at later heads; undefined if there are none. */
  readonly isSameAt?:
    ((heads: ReadonlyMap<number, BlockRef>) => boolean | Promise<boolean>) | undefined
  /** Whether it also depends on what changes without a new block, such as token lists. */
  readonly isVolatile?: boolean
}

/** How long a value is cached at most, in milliseconds. One is volatile that changes without a new block. */
export function getMaximumAge(isVolatile: boolean): number {
  return isVolatile ? 10_000 : 600_000
}

/**
 * Compares the amounts of an account with those at later heads.
 *
 * @param amounts - by chain id and asset.
 * @returns a function that returns false also when no node returns an amount; undefined without amounts.
 */
export function compareAmounts(
  chainReader: Pick<ChainReader, 'amounts' | 'natives'>,
  account: string,
  amounts: ReadonlyMap<number, ReadonlyMap<string, ChainValue>>,
): Dependencies['isSameAt'] {
  if ([...amounts.values()].every(({ size }) => size === 0)) {
    return undefined
  }
  const compare = async (
    chainId: number,
    head: BlockRef,
    native: Promise<bigint | undefined> | undefined,
  ) => {
    const known = amounts.get(chainId) ?? new Map<string, ChainValue>()
    const amount = await native
    if (amount !== undefined) {
      return amount === known.get('native')
    }
    const read = await chainReader.amounts(chainId, account, [...known.keys()], head)
    return [...known].every(([asset, value]) => read.get(asset) === value)
  }
  return (heads) => {
    const reading: Promise<boolean>[] = []
    for (const [chainId, known] of amounts) {
      const head = heads.get(chainId)
      if (!head) {
        return false
      }
      // Most responses contain no other amount, and that of most is known.
      const native =
        known.size === 1 && known.has('native')
          ? chainReader.natives.find(chainId, account, head)
          : undefined
      if (typeof native !== 'bigint') {
        reading.push(compare(chainId, head, native))
      } else if (native !== known.get('native')) {
        return false
      }
    }
    return reading.length === 0 || Promise.all(reading).then((same) => same.every(Boolean))
  }
}
