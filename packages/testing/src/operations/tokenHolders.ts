import type { Holding } from '../world/Ledger.ts'
import { findToken, type World } from '../world/World.ts'
import type { Generator } from './Generator.ts'
import { tokenNotFound } from './requireToken.ts'
import { descending } from './SortKey.ts'

/** The holders of a token or of an ERC721 contract, by descending amount. */
export const tokenHolders: Generator<'tokenHolders'> = {
  requestFields: ({ address, chainId }) => ({
    token_address: address.toLowerCase(),
    chain_id: chainId,
  }),
  rows({ chainId, address }, { world }) {
    const token = findToken(world, { chainId, address })
    const holders = token
      ? world.ledger.holdersOf(token)
      : countOwners(world, chainId, address.toLowerCase())
    return [...holders]
      .filter(([, { amount }]) => amount > 0n)
      .map(([wallet_address, { amount, firstAcquired, hasInitiatedTransfer }]) => ({
        key: [descending(amount), wallet_address],
        item: () => ({
          wallet_address,
          balance: String(amount),
          first_acquired: `${new Date(firstAcquired * 1000).toISOString().slice(0, 19)}+00:00`,
          has_initiated_transfer: hasInitiatedTransfer,
        }),
      }))
  },
}

function countOwners(
  { collections, collectibles }: World,
  chainId: number,
  address: string,
): ReadonlyMap<string, Readonly<Holding>> {
  const collection = collections.find(
    (each) => each.chainId === chainId && each.address === address,
  )
  if (collection?.standard !== 'ERC721') {
    throw tokenNotFound(chainId, address, 'address')
  }
  const owners = new Map<string, Holding>()
  for (const { collection: of, owner, amount, lastAcquired } of collectibles) {
    if (of !== collection) {
      continue
    }
    const holding = owners.get(owner)
    owners.set(owner, {
      amount: (holding?.amount ?? 0n) + amount,
      firstAcquired: Math.min(holding?.firstAcquired ?? lastAcquired, lastAcquired),
      hasInitiatedTransfer: false,
    })
  }
  return owners
}
