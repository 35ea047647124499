import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isTokenHoldersResponse, type TokenHoldersResponse } from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, type SeededChain, testAddress } from '../../../test/seedChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { fromHex } from '../../store/hex.ts'
import type { Store } from '../../store/Store.ts'

const token = testAddress(0x20)
const collection = testAddress(0x721)
const edition = testAddress(0x1155)
/** Its transfers have the shape of those of ERC721. */
const indexed = testAddress(0x2721)
const huge = 2n ** 256n - 1n
const start = 1_714_564_800 // 2024-05-01T12:00:00Z

/** Block 5 is the head. */
const seven: SeededChain = {
  chainId: 7,
  blocks: { 0: start, 3: start + 60, 5: start + 3600 },
  tokens: [
    { address: token, symbol: 'TOK' },
    { address: collection, symbol: 'ART', standard: 721 },
    { address: edition, symbol: 'EDI', standard: 1155 },
  ],
  balances: [
    { holder: testAddress(1), token, amount: huge, firstIn: 0 },
    { holder: testAddress(3), token, amount: 7n, firstIn: 3, initiated: 5 },
    { holder: testAddress(2), token, amount: 7n, firstIn: 5 },
    { holder: testAddress(4), token, amount: 0n, firstIn: 0, initiated: 0 },
    { holder: testAddress(5), token, amount: -9n, firstIn: null },
    // Contracts may emit transfers of the other standard too.
    { holder: testAddress(6), token, amount: 99n, standard: 721 },
    { holder: testAddress(1), token: collection, amount: 2n, standard: 721, firstIn: 5 },
    { holder: testAddress(2), token: collection, amount: 5n, standard: 721, firstIn: 3 },
  ],
}

/** Chain 8 has a token whose ledger differs from the chain, with balances from the audit: amount and block. */
async function seedAudited({ db }: Store) {
  await seedChain(db, {
    chainId: 8,
    blocks: { 0: start, 3: start + 60, 9: start + 3600 },
    tokens: [{ address: token }, { address: indexed, standard: 721 }],
    balances: [
      {
        holder: testAddress(3),
        token: indexed,
        amount: 2n,
        standard: 721,
        firstIn: 3,
        initiated: 9,
      },
      { holder: testAddress(1), token, amount: 1000n, firstIn: 0 },
      { holder: testAddress(2), token, amount: -5n, firstIn: 3, initiated: 3 },
      { holder: testAddress(3), token, amount: 7n, firstIn: 0 },
      { holder: testAddress(4), token, amount: 0n, firstIn: null },
      // Of the other standard: not a part of the history of ERC20.
      { holder: testAddress(4), token, amount: 1n, firstIn: 3, standard: 721 },
    ],
  })
  await db.updateTable('tokens').set({ standard: 20 }).where('chain_id', '=', 8).execute()
  await markAudited({ db }, true)
  await db
    .insertInto('chain_amounts')
    .values({
      chain_id: 8,
      token: fromHex(indexed),
      holder: fromHex(testAddress(3)),
      amount: 70n,
      block_number: 9,
    })
    .execute()
  const audited: [holder: number, amount: bigint | null, block: number | null][] = [
    [1, 0n, 9],
    [2, huge, 8],
    [3, 50n, 9],
    [4, 50n, 6],
    [5, null, null],
  ]
  await db
    .insertInto('chain_amounts')
    .values(
      audited.map(([holder, amount, block_number]) => ({
        chain_id: 8,
        token: fromHex(token),
        holder: fromHex(testAddress(holder)),
        amount,
        block_number,
      })),
    )
    .execute()
}

async function markAudited({ db }: Pick<Store, 'db'>, isComplete: boolean) {
  await db
    .updateTable('tokens')
    .set({ amounts_from: 'chain', holders_read: isComplete })
    .where('chain_id', '=', 8)
    .execute()
}

async function startService(store: Store) {
  await seedChain(store.db, seven)
  await seedAudited(store)
  const service = await startTestService(store, [testChainConfig(7), testChainConfig(8)])
  return { ...service, ...createClient(service), store }
}

function createClient({ fetch }: { fetch: (path: string) => Promise<Response> }) {
  const get = async (path: string) => {
    const response = await fetch(`/v1/evm/token-holders/${path}`)
    const body = (await response.json()) as TokenHoldersResponse
    expect([response.status, isTokenHoldersResponse(body)]).toEqual([200, true])
    return { ...body, headers: response.headers }
  }
  return {
    get,
    /** All pages of a listing; `beforeEach` runs before each request. */
    async getPages(path: string, limit: number, beforeEach?: (page: number) => Promise<void>) {
      const pages: Awaited<ReturnType<typeof get>>[] = []
      let offset: string | null | undefined = ''
      while (offset !== null && offset !== undefined) {
        await beforeEach?.(pages.length)
        const page = await get(`${path}?limit=${limit}&offset=${offset}`)
        pages.push(page)
        offset = page.next_offset
      }
      return pages
    },
  }
}

const balancesOf = ({ holders }: TokenHoldersResponse) =>
  holders.map(({ wallet_address, balance }) => [wallet_address, balance])

describeEachStore('handleTokenHolders', (openTestStore) => {
  const getService = shareFixture(async () => await startService(await openTestStore()))

  it('lists holders by balance descending and address, without zero balances, for two units', async () => {
    const page = await getService().get(`7/${token}`)
    expect(page).toMatchObject({ token_address: token, chain_id: 7, next_offset: null })
    expect(balancesOf(page)).toEqual([
      [testAddress(1), String(huge)],
      [testAddress(2), '7'],
      [testAddress(3), '7'],
    ])
    expect(page.headers.get('X-Compute-Units-Cost')).toBe('2')
    expect(page.headers.get('X-Block-Numbers')).toBe('7=5')
  })

  it('returns when a holder first acquired the token, and whether it initiated a transfer', async () => {
    const { holders } = await getService().get(`7/${token}`)
    expect(holders[2]).toEqual({
      wallet_address: testAddress(3),
      balance: '7',
      first_acquired: '2024-05-01T12:01:00+00:00',
      has_initiated_transfer: true,
    })
    expect(holders[1]).toMatchObject({
      first_acquired: '2024-05-01T13:00:00+00:00',
      has_initiated_transfer: false,
    })
  })

  it('counts the tokens of each holder of an ERC721 contract', async () => {
    const address = collection.toUpperCase().replace('0X', '0x')
    expect(balancesOf(await getService().get(`7/${address}`))).toEqual([
      [testAddress(2), '5'],
      [testAddress(1), '2'],
    ])
  })

  it('responds 404 for an address without an ERC20 or ERC721 token, at no cost', async () => {
    for (const address of [edition, testAddress(0x999)]) {
      const response = await getService().fetch(`/v1/evm/token-holders/7/${address}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'TOKEN_NOT_FOUND', param: 'address' })
      expect(response.headers.get('X-Compute-Units-Cost')).toBe('0')
    }
  })

  it('returns the first page for a cursor of another token and for an invented one', async () => {
    const { get } = getService()
    const { next_offset } = await get(`7/${collection}?limit=1`)
    for (const offset of [next_offset, 'invented', 'AAAA']) {
      const { holders } = await get(`7/${token}?offset=${offset}`)
      expect(holders[0]?.wallet_address).toBe(testAddress(1))
    }
  })

  it('ranks the balances of the audit where the ledger differs, with the history of the ledger', async () => {
    const { holders } = await getService().get(`8/${token}`)
    expect(holders).toEqual([
      {
        wallet_address: testAddress(2),
        balance: String(huge),
        first_acquired: '2024-05-01T12:01:00+00:00',
        has_initiated_transfer: true,
      },
      {
        wallet_address: testAddress(3),
        balance: '50',
        first_acquired: '2024-05-01T12:00:00+00:00',
        has_initiated_transfer: false,
      },
      { wallet_address: testAddress(4), balance: '50', has_initiated_transfer: false },
    ])
  })

  it('has the history of a token with indexed amounts', async () => {
    const { holders } = await getService().get(`8/${indexed}`)
    expect(holders).toEqual([
      {
        wallet_address: testAddress(3),
        balance: '70',
        first_acquired: '2024-05-01T12:01:00+00:00',
        has_initiated_transfer: true,
      },
    ])
  })

  it('names the oldest block at which the audit read a balance of the page', async () => {
    const pages = await getService().getPages(`8/${token}`, 1)
    expect(pages.map(({ headers }) => headers.get('x-block-numbers'))).toEqual([
      '8=8',
      '8=9',
      '8=6',
    ])
    expect(pages.flatMap(({ holders }) => holders.map((holder) => holder.wallet_address))).toEqual(
      [2, 3, 4].map(testAddress),
    )
  })

  // The tests below change chain 9, which no test above reads.

  it('responds 503 until the first audit of all holders is complete', async () => {
    const { store } = getService()
    await markAudited(store, false)
    const service = await startTestService(store, [testChainConfig(8)])
    const response = await service.fetch(`/v1/evm/token-holders/8/${token}`)
    await markAudited(store, true)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'HOLDERS_NOT_READ' })
    expect(response.headers.get('retry-after')).toBe('30')
    expect(response.headers.get('x-compute-units-cost')).toBe('0')
  })

  it('returns 500 holders by default and at most', async () => {
    const { store } = getService()
    const balances = Array.from({ length: 501 }, (_, index) => ({
      holder: testAddress(1000 + index),
      token,
      amount: 1n,
    }))
    await seedChain(store.db, { ...seven, chainId: 9, balances })
    const { get } = createClient(await startTestService(store, [testChainConfig(9)]))
    for (const query of ['', '?limit=501', '?limit=100000']) {
      const page = await get(`9/${token}${query}`)
      expect(page.holders).toHaveLength(500)
      expect(page.next_offset).not.toBeNull()
    }
  })

  it('returns every holder exactly once, with any amounts and page size', async () => {
    const { store } = getService()
    const { getPages } = createClient(await startTestService(store, [testChainConfig(9)]))
    // Responses are cached per head and path: each run has a token of its own.
    let tokens = 0x5000
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt({ min: 0n, max: 3n }), { maxLength: 25 }),
        fc.integer({ min: 1, max: 7 }),
        async (amounts, limit) => {
          const token = testAddress(tokens++)
          const balances = amounts.map((amount, index) => ({
            holder: testAddress(index + 1),
            token,
            amount,
          }))
          await seedChain(store.db, {
            ...seven,
            chainId: 9,
            tokens: [{ address: token }],
            balances,
          })
          const expected = balances
            .filter(({ amount }) => amount > 0n)
            .sort((a, b) => Number(b.amount - a.amount) || (a.holder < b.holder ? -1 : 1))
            .map(({ holder, amount }) => [holder, String(amount)])
          expect((await getPages(`9/${token}`, limit)).flatMap(balancesOf)).toEqual(expected)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('returns an unchanged holder exactly once while others change', async () => {
    const { store } = getService()
    const { getPages } = createClient(await startTestService(store, [testChainConfig(9)]))
    const holders = Array.from({ length: 8 }, (_, index) => testAddress(index + 1))
    const amount = fc.bigInt({ min: 0n, max: 4n })
    const states = fc.array(amount, { minLength: holders.length, maxLength: holders.length })
    let head = 10
    const seed = (amounts: bigint[]) =>
      seedChain(store.db, {
        chainId: 9,
        blocks: { [++head]: start + head },
        tokens: [{ address: token }],
        balances: holders.map((holder, index) => ({
          holder,
          token,
          firstIn: null,
          amount: amounts[index] ?? 0n,
        })),
      })
    await fc.assert(
      fc.asyncProperty(fc.array(states, { minLength: 2, maxLength: 4 }), async (states) => {
        const pages = await getPages(`9/${token}`, 2, (page) =>
          seed(states[Math.min(page, states.length - 1)] ?? []),
        )
        const listed = pages.flatMap(balancesOf).map(([address]) => address)
        for (const [index, holder] of holders.entries()) {
          const amounts = new Set(states.map((amounts) => amounts[index]))
          if (amounts.size === 1) {
            const count = listed.filter((address) => address === holder).length
            expect(count).toBe(amounts.has(0n) ? 0 : 1)
          }
        }
      }),
      { numRuns: 8 },
    )
  })
})
