import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { TokenHoldersResponse } from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'

const holders = Array.from({ length: 8 }, (_, index) => testAddress(index + 1))

describeEachStore('paging of tokenHolders', (openTestStore) => {
  it('returns a holder whose amount does not change exactly once, whatever changes around it', async () => {
    const store = await openTestStore()
    const service = await startTestService(store, [testChainConfig(7)])
    const amount = fc.bigInt({ min: 0n, max: 4n })
    const world = fc.array(amount, { minLength: holders.length, maxLength: holders.length })
    const token = testAddress(0x20)
    let head = 0
    const seed = (amounts: bigint[]) =>
      seedChain(store.db, {
        chainId: 7,
        blocks: { [++head]: 1_700_000_000 + head },
        tokens: [{ address: token }],
        balances: holders.map((holder, index) => ({
          ...{ holder, token, firstIn: null },
          amount: amounts[index] ?? 0n,
        })),
      })
    await fc.assert(
      fc.asyncProperty(fc.array(world, { minLength: 2, maxLength: 4 }), async (worlds) => {
        const seen = new Map<string, number>()
        let offset: string | null | undefined
        for (let page = 0; page === 0 || offset; page++) {
          await seed(worlds[Math.min(page, worlds.length - 1)] ?? [])
          const cursor: string = offset ? `&offset=${offset}` : ''
          const response = await service.fetch(`/v1/evm/token-holders/7/${token}?limit=2${cursor}`)
          const answer = (await response.json()) as TokenHoldersResponse
          for (const { wallet_address: of } of answer.holders) {
            seen.set(of, (seen.get(of) ?? 0) + 1)
          }
          offset = answer.next_offset
        }
        for (const [index, holder] of holders.entries()) {
          const amounts = new Set(worlds.map((amounts) => amounts[index]))
          if (amounts.size === 1) {
            expect(seen.get(holder) ?? 0).toBe(amounts.has(0n) ? 0 : 1)
          }
        }
      }),
      { numRuns: 8 },
    )
  })
})
