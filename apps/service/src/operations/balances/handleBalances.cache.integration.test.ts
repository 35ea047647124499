import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { testBlockHash } from '../../../test/seedChain.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import {
  requestBalances,
  held,
  startWalletService,
  symbolsOf,
} from '../../../test/startWalletService.ts'
import { testTokens } from '../../../test/testChainConfig.ts'
import { writeTokenMetadata } from '../../metadata/writeTokenMetadata.ts'
import { fromHex } from '../../store/hex.ts'

const { usd } = testTokens

describeEachStore('what is remembered of balances', (openTestStore) => {
  const queries = [
    '',
    'chain_ids=7,8',
    'filters=native',
    'filters=erc20',
    'exclude_spam_tokens=true',
  ].flatMap((query) => [query, `${query}&limit=1`, `${query}&limit=3&historical_prices=1,2`])

  it('answers exactly what would be computed anew', async () => {
    const store = await openTestStore()
    const service = await startWalletService(store)
    const content = async (asked: TestService, query: string) => {
      const { headers, request_time, response_time, ...body } = await requestBalances(asked, query)
      expect(request_time && response_time && headers).toBeTruthy()
      return body
    }
    for (const query of queries) {
      const fresh = await startTestService(store, service.chains)
      let [page, expected] = [await content(service, query), await content(fresh, query)]
      expect(page).toEqual(expected)
      while (page.next_offset) {
        const next = `${query}&offset=${page.next_offset}`
        ;[page, expected] = [
          await content(service, next),
          await content(await startTestService(store, service.chains), next),
        ]
        expect(page).toEqual(expected)
      }
    }
  })

  it('is of one head: priced once there, and never shown at another', async () => {
    const store = await openTestStore()
    const service = await startWalletService(store)
    const amount = async () =>
      (await requestBalances(service, 'filters=erc20')).balances.find(
        ({ address }) => address === usd,
      )?.amount
    const before = await amount()
    // No block changes amounts without a new head; here it shows that nothing was computed again.
    await store.db.updateTable('balances').set({ amount: 5n }).execute()
    expect(await amount()).toBe(before)
    for (const hash of [testBlockHash(7, 4), testBlockHash(7, 5)]) {
      await store.db
        .updateTable('chains')
        .set({ indexed_hash: fromHex(hash) })
        .where('chain_id', '=', 7)
        .execute()
      expect(await amount()).toBe('5')
      await store.db.updateTable('balances').set({ amount: 6n }).execute()
      expect(await amount()).toBe('5')
      await store.db.updateTable('balances').set({ amount: 5n }).execute()
    }
  })

  it('is dropped when the texts of a token were read, at the same head', async () => {
    const store = await openTestStore()
    const service = await startWalletService(store)
    expect(symbolsOf(await requestBalances(service, 'filters=erc20'))).toContain('NONE')
    const texts = { name: 'New', symbol: 'NEW', decimals: 0 }
    await writeTokenMetadata(store.db, 7, [{ token: held.unpriced, ...texts }], [])
    expect(symbolsOf(await requestBalances(service, 'filters=erc20'))).toContain('NEW')
  })
})
