import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CollectiblesResponse } from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'

const wallet = testAddress(0xab)
const art = testAddress(0x721)

const ids = Array.from({ length: 8 }, (_, index) => index)

describeEachStore('paging of collectibles', (openTestStore) => {
  it('returns an NFT that does not move exactly once, whatever moves around it', async () => {
    const store = await openTestStore()
    const service = await startTestService(store, [testChainConfig(7)])
    /** In which block each came to the wallet; 0 for one that is not there. */
    const world = fc.array(fc.integer({ min: 0, max: 4 }), {
      minLength: ids.length,
      maxLength: ids.length,
    })
    let head = 10
    const seed = (blocks: number[]) =>
      seedChain(store.db, {
        chainId: 7,
        blocks: {
          ...Object.fromEntries([1, 2, 3, 4].map((number) => [number, 1_700_000_000 + number])),
          [++head]: 1_700_000_000 + head,
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
      fc.asyncProperty(fc.array(world, { minLength: 2, maxLength: 4 }), async (worlds) => {
        const seen = new Map<string, number>()
        let offset: string | undefined
        for (let page = 0; page === 0 || offset; page++) {
          await seed(worlds[Math.min(page, worlds.length - 1)] ?? [])
          const cursor: string = offset ? `&offset=${offset}` : ''
          const response = await service.fetch(`/v1/evm/collectibles/${wallet}?limit=2${cursor}`)
          const answer = (await response.json()) as CollectiblesResponse
          for (const { token_id } of answer.entries) {
            seen.set(token_id, (seen.get(token_id) ?? 0) + 1)
          }
          offset = answer.next_offset
        }
        for (const id of ids) {
          const blocks = new Set(worlds.map((blocks) => blocks[id]))
          if (blocks.size === 1) {
            expect(seen.get(String(id)) ?? 0).toBe(blocks.has(0) ? 0 : 1)
          }
        }
      }),
      { numRuns: 8 },
    )
  })
})

describeEachStore('chains of collectibles', (openTestStore) => {
  it('are those tagged default when none is named, or by id and tag, each once; names are refused', async () => {
    const store = await openTestStore()
    for (const chainId of [7, 8, 9]) {
      await seedChain(store.db, {
        chainId,
        blocks: { 1: 1_700_000_000 },
        tokens: [{ address: art, standard: 721 }],
        collectibles: [{ contract: art, tokenId: BigInt(chainId), holder: wallet, lastIn: 1 }],
      })
    }
    const { fetch } = await startTestService(store, [
      testChainConfig(7, { tags: ['default', 'odd'], name: 'Seven Hills' }),
      testChainConfig(8, { tags: ['default'] }),
      testChainConfig(9, { tags: ['odd'] }),
    ])
    const ask = async (query: string) => {
      const response = await fetch(`/v1/evm/collectibles/${wallet}${query}`)
      const body = (await response.json()) as Partial<CollectiblesResponse> & { code?: string }
      const cost = response.headers.get('x-compute-units-cost')
      return { chains: body.entries?.map(({ chain_id }) => chain_id), cost, code: body.code }
    }
    const told = async (query: string) => {
      const { chains, cost } = await ask(query)
      return [chains, cost]
    }
    expect(await told('')).toEqual([[7, 8], '2'])
    expect(await told('?chain_ids=odd')).toEqual([[7, 9], '2'])
    expect(await told('?chain_ids=odd,%209,7,8')).toEqual([[7, 8, 9], '3'])
    expect(await told('?chain_ids=9')).toEqual([[9], '1'])
    for (const [query, code] of [
      ['ethereum', 'CHAIN_NAME_NOT_ACCEPTED'],
      ['7,seven_hills', 'CHAIN_NAME_NOT_ACCEPTED'],
      ['nonsense', 'UNKNOWN_CHAIN_TAG'],
      ['', 'INVALID_PARAMETER'],
    ]) {
      expect({ query, ...(await ask(`?chain_ids=${query}`)) }).toEqual({
        ...{ query, code, cost: '0' },
        chains: undefined,
      })
    }
  })
})
