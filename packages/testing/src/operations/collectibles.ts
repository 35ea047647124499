import type { Collectible } from '@headwater/contract'
import type { OwnedCollectible } from '../world/FakeCollection.ts'
import { hash } from '../world/hash.ts'
import type { Generator } from './Generator.ts'
import { ascending } from './SortKey.ts'

/** The NFTs of a wallet, most recently acquired first. */
export const collectibles: Generator<'collectibles'> = {
  requestFields: ({ address }) => ({ address: address.toLowerCase() }),
  rows({ address }, { world, chains, baseUrl }) {
    const wallet = address.toLowerCase()
    return world.collectibles
      .filter(({ owner, chain }) => owner === wallet && chains.includes(chain))
      .map((owned) => ({
        key: [
          -owned.lastAcquired,
          owned.chain.id,
          owned.collection.address,
          ascending(owned.tokenId),
        ],
        item: () => toEntry(owned, baseUrl),
      }))
  },
}

/** The item of the response. Unknown fields are absent. */
function toEntry(owned: OwnedCollectible, baseUrl: string): Collectible {
  const { collection, chain, tokenId, amount, lastAcquired } = owned
  const { address, symbol, standard, name } = collection
  const drawn = hash(`${address}/${tokenId}`)
  const image = `${baseUrl}/v1/evm/collectible/image/${chain.id}/${address}/${tokenId}`
  const colour = ['Red', 'Green', 'Blue'][drawn % 3] ?? ''
  return {
    contract_address: address,
    token_standard: standard,
    token_id: String(tokenId),
    chain: chain.name,
    chain_id: chain.id,
    symbol,
    // For one in eight NFTs, the document could not be read.
    ...(drawn % 8 !== 0 && {
      name: `${name} #${tokenId}`,
      description: `One of the ${name}.`,
      image_url: image,
      metadata: {
        uri: `ipfs://fake/${symbol}/${tokenId}`,
        attributes: [{ key: 'Colour', value: colour }],
      },
    }),
    ...(drawn % 3 === 0 && { last_sale_price: `0.${1 + (drawn % 98)}` }),
    balance: String(amount),
    last_acquired: `${new Date(lastAcquired * 1000).toISOString().slice(0, 19)}Z`,
  }
}
