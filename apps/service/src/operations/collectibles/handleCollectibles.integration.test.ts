import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type CollectiblesResponse,
  isCollectible,
  isCollectiblesResponse,
} from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, type SeededChain, testAddress } from '../../../test/seedChain.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
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
    { contract: art, tokenId: 11n, holder: other, lastIn: 4 },
  ],
}

const eight: SeededChain = {
  chainId: 8,
  blocks: { 0: start, 9: start + 20 },
  tokens: [{ address: art, symbol: 'ART', standard: 721 }],
  collectibles: [{ contract: art, tokenId: 1n, holder: wallet, lastIn: 9 }],
}

describeEachStore('collectibles', (openTestStore) => {
  it('lists the newest acquired first, then by chain id, contract and token id', async () => {
    const service = await serve(await openTestStore())
    const { address, entries } = await ask(service, '?chain_ids=7,8')
    expect(address).toBe(wallet)
    expect(entries.map(({ chain_id, token_id }) => [chain_id, token_id])).toEqual([
      [7, '9'],
      [7, '10'],
      [8, '1'],
      [7, String(huge)],
    ])
  })

  it('tells what the ledger knows of an NFT, and leaves out what nobody knows', async () => {
    const service = await serve(await openTestStore())
    const { entries } = await ask(service, '?chain_ids=7')
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

  it('tells what was read of an NFT, its image at this service', async () => {
    const document = {
      uri: 'ipfs://art/1',
      name: 'Blue',
      description: 'A blue one',
      image: 'https://images.example/1.png',
      attributes: [{ key: 'Colour', value: 'Blue' }],
    }
    const [first] = seven.collectibles ?? []
    const collectibles = first ? [{ ...first, document }] : []
    const service = await serve(await openTestStore(), { ...seven, collectibles })
    const { entries } = await ask(service, '?chain_ids=7')
    expect(entries[0]).toMatchObject({
      name: 'Blue',
      description: 'A blue one',
      metadata: { uri: 'ipfs://art/1', attributes: [{ key: 'Colour', value: 'Blue' }] },
    })
    expect(entries[0]?.image_url).toMatch(
      new RegExp(`^http://.*/v1/evm/collectible/image/7/${art}/10$`),
    )
  })

  it('has the documents read of what is asked for, before those that nobody waits for', async () => {
    const store = await openTestStore()
    const service = await serve(store)
    await ask(service, '?chain_ids=7&limit=1')
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

  it('costs a unit a chain and names the blocks that it is of', async () => {
    const service = await serve(await openTestStore())
    const headersOf = async (query: string) =>
      (await service.fetch(`/v1/evm/collectibles/${wallet}${query}`)).headers
    expect((await headersOf('?chain_ids=7,8')).get('X-Compute-Units-Cost')).toBe('2')
    expect((await headersOf('?chain_ids=7,8')).get('X-Block-Numbers')).toBe('7=4,8=9')
    expect((await headersOf('?chain_ids=8')).get('X-Compute-Units-Cost')).toBe('1')
  })

  it('warns of chains that it does not index', async () => {
    const service = await serve(await openTestStore())
    const { entries, warnings } = await ask(service, '?chain_ids=8,999')
    expect(entries).toHaveLength(1)
    expect(warnings).toMatchObject([{ code: 'UNSUPPORTED_CHAIN_IDS', chain_ids: [999] }])
  })

  it('gives 250 by default and at most 2500', async () => {
    const store = await openTestStore()
    const collectibles = Array.from({ length: 2501 }, (_, index) => ({
      contract: art,
      tokenId: BigInt(index),
      holder: wallet,
      lastIn: index % 5,
    }))
    const service = await serve(store, { ...seven, collectibles })
    for (const [query, length] of [
      ['', 250],
      ['&limit=2500', 2500],
      ['&limit=9999', 2500],
      ['&limit=3', 3],
    ] as const) {
      const page = await ask(service, `?chain_ids=7${query}`)
      expect(page.entries).toHaveLength(length)
      expect(page.next_offset).toBeTypeOf('string')
    }
  })

  it('takes a cursor of another wallet or of other chains, or a made-up one, as none', async () => {
    const service = await serve(await openTestStore())
    const { next_offset } = await ask(service, '?chain_ids=7,8&limit=1')
    for (const offset of [next_offset, 'made-up']) {
      expect((await ask(service, `?chain_ids=7&offset=${offset}`)).entries).toHaveLength(3)
    }
  })

  it('gives every NFT exactly once in one order, whatever was acquired when and the page size', async () => {
    const store = await openTestStore()
    const service = await serve(store)
    // A wallet a run: what was answered at a head is remembered, and here one head has many pasts.
    let wallets = 0x5000
    const owned = fc.record({
      chain: fc.boolean(),
      contract: fc.constantFrom(art, edition),
      tokenId: fc.bigInt({ min: 0n, max: 12n }),
      lastIn: fc.integer({ min: 0, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(owned, {
          maxLength: 24,
          selector: ({ chain, contract, tokenId }) => `${chain}${contract}${tokenId}`,
        }),
        fc.integer({ min: 1, max: 6 }),
        async (all, limit) => {
          const wallet = testAddress(wallets++)
          const on = (chain: boolean) =>
            all
              .filter((each) => each.chain === chain)
              .map(({ contract, tokenId, lastIn }) => ({
                contract,
                tokenId,
                lastIn,
                holder: wallet,
              }))
          await seedChain(store.db, { ...seven, collectibles: on(true) })
          await seedChain(store.db, { ...seven, chainId: 8, collectibles: on(false) })
          const timeOf = (block: number) => seven.blocks[block] ?? 0
          const expected = all
            .toSorted(
              (a, b) =>
                timeOf(b.lastIn) - timeOf(a.lastIn) ||
                Number(b.chain) - Number(a.chain) ||
                (a.contract === b.contract ? 0 : a.contract < b.contract ? -1 : 1) ||
                Number(a.tokenId - b.tokenId),
            )
            .map(({ chain, contract, tokenId }) => `${chain ? 7 : 8} ${contract} ${tokenId}`)
          const listed: string[] = []
          let offset: string | undefined = ''
          do {
            const page: CollectiblesResponse = await ask(
              service,
              `?chain_ids=7,8&limit=${limit}&offset=${offset}`,
              wallet,
            )
            listed.push(
              ...page.entries.map(
                ({ chain_id, contract_address, token_id }) =>
                  `${chain_id} ${contract_address} ${token_id}`,
              ),
            )
            offset = page.next_offset
          } while (offset)
          expect(listed).toEqual(expected)
        },
      ),
      { numRuns: 25 },
    )
  })
})

async function serve(store: Store, first: SeededChain = seven): Promise<TestService> {
  await seedChain(store.db, first)
  await seedChain(store.db, eight)
  return await startTestService(store, [testChainConfig(7), testChainConfig(8)])
}

async function ask(
  service: TestService,
  query: string,
  address = wallet,
): Promise<CollectiblesResponse> {
  const response = await service.fetch(`/v1/evm/collectibles/${address}${query}`)
  const body = (await response.json()) as CollectiblesResponse
  expect([response.status, isCollectiblesResponse(body)]).toEqual([200, true])
  expect(body.entries.every((entry) => isCollectible(entry))).toBe(true)
  return body
}
