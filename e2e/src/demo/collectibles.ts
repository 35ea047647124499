import { expect } from 'vitest'
import type { CollectiblesResponse } from '@headwater/contract'
import { fetchApi } from '../fetchApi.ts'
import type { StackInfo } from '../Stack.ts'
import type { LinkParameters } from './Demo.ts'

export type Collectible = CollectiblesResponse['entries'][number]

/** All collectibles of a wallet. */
export async function collectiblesOf(
  stack: StackInfo,
  wallet: string,
): Promise<readonly Collectible[]> {
  const { entries, next_offset } = await fetchApi<CollectiblesResponse>(
    stack,
    `collectibles/${wallet}`,
  )
  if (next_offset !== undefined) {
    throw new Error('The collectibles do not fit one page.')
  }
  return entries
}

/**
 * The matching collectible of which a wallet owns the most pieces, as soon as the service has read its metadata. The devnet
 * transfers pieces at any time, but not that many during a test.
 */
export async function findCollectible(
  stack: StackInfo,
  wallet: string,
  matches: (collectible: Collectible) => boolean,
): Promise<Collectible> {
  let most: Collectible | undefined
  const find = async () => {
    most = (await collectiblesOf(stack, wallet))
      .filter(matches)
      .toSorted((a, b) => Number(b.balance) - Number(a.balance))[0]
    return most
  }
  await expect.poll(find, { message: `${wallet} owns no matching collectible` }).toBeDefined()
  return most!
}

/** The link to a collectible. */
export function linkToCollectible(
  owner: string,
  { chain_id, contract_address, token_id }: Collectible,
): LinkParameters {
  return {
    address: owner,
    screen: 'collectible',
    chain: chain_id,
    token: contract_address,
    id: token_id,
  }
}
