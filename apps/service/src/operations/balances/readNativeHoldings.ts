import type { TokenError } from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
import type { ReadNativeBalance } from '../createNativeBalanceReader.ts'
import type { Head } from '../loadHeads.ts'
import type { Holding } from './Holding.ts'

/** What a wallet has of the native assets, each at its chain's head, and the chains whose nodes did not tell. */
export async function readNativeHoldings(
  readNativeBalance: ReadNativeBalance,
  chains: readonly ChainConfig[],
  heads: ReadonlyMap<number, Head>,
  wallet: string,
): Promise<{ holdings: Holding[]; errors: TokenError[] }> {
  const holdings: Holding[] = []
  const errors: TokenError[] = []
  const read = async (chain: ChainConfig) => {
    const head = heads.get(chain.id)
    if (!head) return
    try {
      const amount = await readNativeBalance(chain.id, wallet, head)
      if (amount > 0n) holdings.push({ chain, address: 'native', amount, ...chain.nativeCurrency })
    } catch {
      // What the node said may tell of its URL; it is the indexer that logs when nodes are away.
      const description = 'No node of the chain told the native balance at the head block'
      errors.push({ chain_id: chain.id, address: 'native', description })
    }
  }
  await Promise.all(chains.map(read))
  errors.sort((a, b) => a.chain_id - b.chain_id)
  return { holdings, errors }
}
