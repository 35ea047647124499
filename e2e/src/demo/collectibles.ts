import type { CollectiblesResponse } from '@headwater/contract'
import { askFor } from '../ask.ts'
import type { StackInfo } from '../Stack.ts'
import type { Place } from './Demo.ts'

export type Collectible = CollectiblesResponse['entries'][number]

/** All collectibles of a wallet, as the service tells them now. */
export async function collectiblesOf(
  stack: StackInfo,
  wallet: string,
): Promise<readonly Collectible[]> {
  const { entries, next_offset } = await askFor<CollectiblesResponse>(
    stack,
    `collectibles/${wallet}`,
  )
  if (next_offset !== undefined) {
    throw new Error('One page is not all.')
  }
  return entries
}

/**
 * The collectible of a wallet that is as it has to be and that the wallet has the most pieces of. Any piece may be given
 * away at any time, but not so many while a test looks at them.
 */
export async function findCollectible(
  stack: StackInfo,
  wallet: string,
  isIt: (collectible: Collectible) => boolean,
): Promise<Collectible> {
  const [most] = (await collectiblesOf(stack, wallet))
    .filter(isIt)
    .toSorted((a, b) => Number(b.balance) - Number(a.balance))
  if (!most) {
    throw new Error(`${wallet} owns no such collectible.`)
  }
  return most
}

/** The screen of a collectible. */
export function collectiblePlace(
  owner: string,
  { chain_id, contract_address, token_id }: Collectible,
): Place {
  return {
    address: owner,
    screen: 'collectible',
    chain: chain_id,
    token: contract_address,
    id: token_id,
  }
}
