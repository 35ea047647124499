import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import { fromHex, toHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { NotableTokens } from './NotableTokens.ts'

const chainId = 7
const { usd } = testTokens
const [poor, rich, listed, other] = [0x101, 0x102, 0x103, 0x104].map(testAddress) as [
  Hex,
  Hex,
  Hex,
  Hex,
]
/** More than are priced at once. */
const many = Array.from({ length: 5 }, (_, index) => testAddress(0x10_000 + index))
const poolOf = (token: string) => testAddress(Number(token) + 0x1_000_000)

async function seed(store: Store) {
  const pool = (token: Hex, reserve: bigint) => ({
    address: poolOf(token),
    token0: usd,
    token1: token,
    states: { 5: [reserve, 1_000n] as const },
  })
  await seedChain(store.db, {
    chainId,
    blocks: { 5: 1_700_000_000, 6: 1_700_000_012 },
    tokens: [usd, poor, rich, listed, other, ...many].map((address) => ({ address, decimals: 0 })),
    pools: [
      pool(poor, 99n),
      pool(rich, 100n),
      pool(listed, 1n),
      // Neither of its tokens has a price.
      { ...pool(other, 10n ** 9n), token0: testAddress(0x999) },
      ...many.map((token) => pool(token, 100n)),
    ],
  })
}

async function setReserve({ db }: Store, token: string, block: number, reserve: bigint) {
  const pool = fromHex(poolOf(token))
  const state = {
    chain_id: chainId,
    pool,
    block_number: block,
    reserve0: reserve,
    reserve1: 1_000n,
  }
  await db.insertInto('pool_states').values(state).execute()
}

async function notableOf({ db }: Store) {
  const rows = await db
    .selectFrom('tokens')
    .select('address')
    .where('is_notable', '=', true)
    .orderBy('address')
    .execute()
  const addresses = rows.map(({ address }) => toHex(address) as Hex)
  return {
    many: addresses.filter((each) => many.includes(each)).length,
    few: addresses.filter((each) => !many.includes(each)),
  }
}

describeEachStore('notable tokens', (openTestStore) => {
  it('are listed, or have the liquidity of a token that is not spam', async () => {
    const store = await openTestStore()
    await seed(store)
    const tokenLists = { addresses: () => [listed] }
    const options = { db: store.db, chain: testChainConfig(chainId), tokenLists }
    const notable = new NotableTokens(options, 2)

    // Nothing has a price before the decimals of the stablecoin are read.
    const setMetadata = async (metadata: 'pending' | 'read') =>
      await store.db
        .updateTable('tokens')
        .set({ metadata })
        .where('address', '=', fromHex(usd))
        .execute()
    await setMetadata('pending')
    expect(await notable.mark()).toBe(false)
    expect(await notableOf(store)).toEqual({ many: 0, few: [usd, listed] })
    await setMetadata('read')
    expect(await notable.mark()).toBe(true)
    expect(await notableOf(store)).toEqual({ many: 5, few: [usd, rich, listed] })

    // Later, only what changed is priced, and holders of tokens with another priority are listed again.
    await store.db.updateTable('tokens').set({ holders_listed: true }).execute()
    await setReserve(store, poor, 6, 100n)
    await setReserve(store, rich, 6, 99n)
    await setReserve(store, listed, 6, 2n)
    await notable.mark()
    expect(await notableOf(store)).toEqual({ many: 5, few: [usd, poor, listed] })
    const relisted = await store.db
      .selectFrom('tokens')
      .select('address')
      .where('holders_listed', '=', false)
      .orderBy('address')
      .execute()
    expect(relisted.map(({ address }) => toHex(address))).toEqual([poor, rich])

    // All tokens are priced again when pools were added or removed.
    const removed = fromHex(poolOf(poor))
    await store.db.deleteFrom('pool_ranks').where('pool', '=', removed).execute()
    await store.db.deleteFrom('pools').where('address', '=', removed).execute()
    await store.db.updateTable('chains').set({ scope: 'other' }).execute()
    await notable.mark()
    expect(await notableOf(store)).toEqual({ many: 5, few: [usd, listed] })
  })
})
