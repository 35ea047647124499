import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Collectible,
  type CollectiblesResponse,
  isCollectible,
  isCollectiblesResponse,
} from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, type SeededChain, testAddress } from '../../../test/seedChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { Store } from '../../store/Store.ts'

const art = testAddress(0x721)
const edition = testAddress(0x1155)
const wallet = '0x00000000000000000000000000000000000000ab'
const other = testAddress(0xbb)
const start = 1_714_564_800 // 2024-05-01T12:00:00Z
const huge = 2n ** 256n - 1n

/** Blocks 2 and 3 share a second. */
const seven: SeededChain = {
  chainId: 7,
  blocks: { 0: start, 1: start + 10, 2: start + 20, 3: start + 20, 4: start + 30 },
  tokens: [
    { address: art, symbol: 'ART', standard: 721 },
    { address: edition, symbol: 'EDI', standard: 1155 },
  ],
  collectibles: [
    { contract: art, tokenId: 10n, holder: wallet, lastIn: 3 },
    {
      contract: art,
      tokenId: 9n,
      holder: wallet,
      lastIn: 2,
      sales: { 1: 5n, 2: 80n * 10n ** 15n },
    },
    { contract: edition, tokenId: huge, holder: wallet, lastIn: 1, amount: 40n },
    { contract: edition, tokenId: 1n, holder: wallet, lastIn: 4, amount: 0n },
    { contract: edition, tokenId: 2n, holder: wallet, lastIn: 4, amount: -1n },
    {
      contract: art,
      tokenId: 11n,
      holder: other,
      lastIn: 4,
      document: {
        uri: 'ipfs://art/1',
        name: 'Blue',
        description: 'A blue one',
        image: 'https://images.example/1.png',
        attributes: [{ key: 'Colour', value: 'Blue' }],
      },
    },
  ],
}

const eight: SeededChain = {
  chainId: 8,
  blocks: { 0: start, 9: start + 20 },
  tokens: [{ address: art, symbol: 'ART', standard: 721 }],
  collectibles: [{ contract: art, tokenId: 1n, holder: wallet, lastIn: 9 }],
}

const chains = [
  testChainConfig(7, { tags: ['default', 'odd'] }),
  testChainConfig(8, { tags: ['even'] }),
]

async function startService(store: Store, configs = chains) {
  const service = await startTestService(store, configs)
  const get = async (query: string, address: string = wallet) => {
    const response = await service.fetch(`/v1/evm/collectibles/${address}${query}`)
    const body = (await response.json()) as CollectiblesResponse
    expect([response.status, isCollectiblesResponse(body)]).toEqual([200, true])
    expect(body.entries.every((entry) => isCollectible(entry))).toBe(true)
    return { ...body, headers: response.headers }
  }
  return {
    store,
    get,
    /** All entries of a listing, page by page; `beforeEach` runs before each request. */
    async getAll(query: string, address?: string, beforeEach?: (page: number) => Promise<void>) {
      const entries: Collectible[] = []
      let offset: string | undefined = ''
      for (let page = 0; offset !== undefined; page++) {
        await beforeEach?.(page)
        const body: CollectiblesResponse = await get(`${query}&offset=${offset}`, address)
        entries.push(...body.entries)
        offset = body.next_offset
      }
      return entries
    },
  }
}

describeEachStore('handleCollectibles', (openTestStore) => {
  const getService = shareFixture(async () => {
    const store = await openTestStore()
    await seedChain(store.db, seven)
    await seedChain(store.db, eight)
    return await startService(store)
  })

  it('requests the documents of the listed NFTs before those of others', async () => {
    const { get, store } = getService()
    await get('?chain_ids=7&limit=1')
    await expect
      .poll(() =>
        store.db
          .selectFrom('collectibles')
          .select('token_id')
          .where('requested_at', 'is not', null)
          .execute(),
      )
      .toEqual([{ token_id: '9' }])
  })

  it('lists the latest acquired first, then by chain id, contract and token id', async () => {
    const { address, entries, headers } = await getService().get('?chain_ids=7,8')
    expect(address).toBe(wallet)
    expect(entries.map(({ chain_id, token_id }) => [chain_id, token_id])).toEqual([
      [7, '9'],
      [7, '10'],
      [8, '1'],
      [7, String(huge)],
    ])
    expect(headers.get('X-Block-Numbers')).toBe('7=4,8=9')
  })

  it('returns balances and sales from the ledger, and omits unknown metadata', async () => {
    const { entries } = await getService().get('?chain_ids=7')
    expect(entries[0]).toEqual({
      contract_address: art,
      token_standard: 'ERC721',
      token_id: '9',
      chain: 'chain 7',
      chain_id: 7,
      symbol: 'ART',
      last_sale_price: '0.08',
      balance: '1',
      last_acquired: '2024-05-01T12:00:20Z',
    })
    expect(entries[2]).toMatchObject({ token_standard: 'ERC1155', balance: '40' })
    expect(entries[2]).not.toHaveProperty('last_sale_price')
  })

  it('returns metadata from the document, with the image at this service', async () => {
    const { entries } = await getService().get('?chain_ids=7', other)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      name: 'Blue',
      description: 'A blue one',
      metadata: { uri: 'ipfs://art/1', attributes: [{ key: 'Colour', value: 'Blue' }] },
    })
    expect(entries[0]?.image_url).toMatch(
      new RegExp(`^http://.*/v1/evm/collectible/image/7/${art}/11$`),
    )
  })

  it('selects chains by id and tag without duplicates, for one unit each', async () => {
    for (const [query, blocks, cost] of [
      ['', '7=4', '1'],
      ['?chain_ids=even', '8=9', '1'],
      ['?chain_ids=odd,%208,7,8', '7=4,8=9', '2'],
    ] as const) {
      const { headers } = await getService().get(query)
      expect(headers.get('X-Block-Numbers')).toBe(blocks)
      expect(headers.get('X-Compute-Units-Cost')).toBe(cost)
    }
  })

  it('warns of unsupported chain ids and returns the NFTs on the others', async () => {
    const { entries, warnings } = await getService().get('?chain_ids=8,999')
    expect(entries).toHaveLength(1)
    expect(warnings).toMatchObject([{ code: 'UNSUPPORTED_CHAIN_IDS', chain_ids: [999] }])
  })

  it('returns the first page for a cursor of another listing and for an invented one', async () => {
    const { get } = getService()
    const { next_offset } = await get('?chain_ids=7,8&limit=1')
    for (const offset of [next_offset, 'invented']) {
      expect((await get(`?chain_ids=7&offset=${offset}`)).entries).toHaveLength(3)
    }
  })

  // The tests below change chains 9 and 10, which no test above reads.

  it('returns 250 NFTs by default and at most 2500', async () => {
    const { store } = getService()
    const collectibles = Array.from({ length: 2501 }, (_, index) => ({
      contract: art,
      tokenId: BigInt(index),
      holder: wallet,
      lastIn: index % 5,
    }))
    await seedChain(store.db, { ...seven, chainId: 9, collectibles })
    const { get } = await startService(store, [testChainConfig(9)])
    for (const [query, length] of [
      ['', 250],
      ['?limit=9999', 2500],
    ] as const) {
      const page = await get(query)
      expect(page.entries).toHaveLength(length)
      expect(page.next_offset).toBeTypeOf('string')
    }
  })

  it('returns every NFT exactly once and in order, with any blocks and page size', async () => {
    const { store } = getService()
    const { getAll } = await startService(store, [testChainConfig(9), testChainConfig(10)])
    // Responses are cached per head and path: each run has a wallet of its own.
    let wallets = 0x5000
    const owned = fc.record({
      chainId: fc.constantFrom(9, 10),
      contract: fc.constantFrom(art, edition),
      tokenId: fc.bigInt({ min: 0n, max: 12n }),
      lastIn: fc.integer({ min: 0, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(owned, {
          maxLength: 24,
          selector: ({ chainId, contract, tokenId }) => `${chainId}${contract}${tokenId}`,
        }),
        fc.integer({ min: 1, max: 6 }),
        async (all, limit) => {
          const holder = testAddress(wallets++)
          for (const id of [9, 10]) {
            const collectibles = all
              .filter(({ chainId }) => chainId === id)
              .map(({ contract, tokenId, lastIn }) => ({ contract, tokenId, lastIn, holder }))
            await seedChain(store.db, { ...seven, chainId: id, collectibles })
          }
          const timeOf = (block: number) => seven.blocks[block] ?? 0
          const expected = all
            .toSorted(
              (a, b) =>
                timeOf(b.lastIn) - timeOf(a.lastIn) ||
                a.chainId - b.chainId ||
                (a.contract === b.contract ? 0 : a.contract < b.contract ? -1 : 1) ||
                Number(a.tokenId - b.tokenId),
            )
            .map(({ chainId, contract, tokenId }) => [chainId, contract, String(tokenId)])
          const entries = await getAll(`?limit=${limit}`, holder)
          expect(
            entries.map(({ chain_id, contract_address, token_id }) => [
              chain_id,
              contract_address,
              token_id,
            ]),
          ).toEqual(expected)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('returns an NFT that is not transferred exactly once while others are', async () => {
    const { store } = getService()
    const { getAll } = await startService(store, [testChainConfig(9)])
    const ids = Array.from({ length: 8 }, (_, index) => index)
    /** The block in which each NFT was transferred to the wallet; 0 for one that it does not own. */
    const states = fc.array(fc.integer({ min: 0, max: 4 }), {
      minLength: ids.length,
      maxLength: ids.length,
    })
    let head = 10
    const seed = (blocks: number[]) =>
      seedChain(store.db, {
        chainId: 9,
        blocks: {
          ...Object.fromEntries([1, 2, 3, 4].map((number) => [number, start + number])),
          [++head]: start + head,
        },
        tokens: [{ address: art, standard: 721 }],
        collectibles: ids.map((id) => ({
          contract: art,
          tokenId: BigInt(id),
          holder: wallet,
          amount: blocks[id] === 0 ? 0n : 1n,
          lastIn: blocks[id] || 1,
        })),
      })
    await fc.assert(
      fc.asyncProperty(fc.array(states, { minLength: 2, maxLength: 4 }), async (states) => {
        const entries = await getAll('?limit=2', wallet, (page) =>
          seed(states[Math.min(page, states.length - 1)] ?? []),
        )
        for (const id of ids) {
          const blocks = new Set(states.map((blocks) => blocks[id]))
          if (blocks.size === 1) {
            const count = entries.filter(({ token_id }) => token_id === String(id)).length
            expect(count).toBe(blocks.has(0) ? 0 : 1)
          }
        }
      }),
      { numRuns: 8 },
    )
  })
})
