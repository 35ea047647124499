import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isTokenHoldersResponse, type TokenHoldersResponse } from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, type SeededChain, testAddress } from '../../../test/seedChain.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { Store } from '../../store/Store.ts'

const token = testAddress(0x20)
const collection = testAddress(0x721)
const edition = testAddress(0x1155)
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
    // Rows of the other shape, which a contract may log too.
    { holder: testAddress(6), token, amount: 99n, standard: 721 },
    { holder: testAddress(1), token: collection, amount: 2n, standard: 721, firstIn: 5 },
    { holder: testAddress(2), token: collection, amount: 5n, standard: 721, firstIn: 3 },
  ],
}

describeEachStore('tokenHolders', (openTestStore) => {
  it('lists by balance down and then by address, without zero balances', async () => {
    const service = await serve(await openTestStore())
    const { token_address, chain_id, holders, next_offset } = await ask(service, `7/${token}`)
    expect({ token_address, chain_id, next_offset }).toEqual({
      token_address: token,
      chain_id: 7,
      next_offset: null,
    })
    expect(holders.map(({ wallet_address, balance }) => [wallet_address, balance])).toEqual([
      [testAddress(1), String(huge)],
      [testAddress(2), '7'],
      [testAddress(3), '7'],
    ])
  })

  it('tells when a holder first acquired the token, and whether it ever sent it itself', async () => {
    const service = await serve(await openTestStore())
    const { holders } = await ask(service, `7/${token}`)
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

  it('counts the tokens that each holder of an ERC721 contract owns', async () => {
    const service = await serve(await openTestStore())
    const { holders } = await ask(service, `7/${collection.toUpperCase().replace('0X', '0x')}`)
    expect(holders.map(({ wallet_address, balance }) => [wallet_address, balance])).toEqual([
      [testAddress(2), '5'],
      [testAddress(1), '2'],
    ])
  })

  it('answers 404 for what is no ERC20 or ERC721 token, and costs nothing then', async () => {
    const service = await serve(await openTestStore())
    for (const address of [edition, testAddress(0x999)]) {
      const response = await service.fetch(`/v1/evm/token-holders/7/${address}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'TOKEN_NOT_FOUND', param: 'address' })
      expect(response.headers.get('X-Compute-Units-Cost')).toBe('0')
    }
  })

  it('costs two units and names the block that it is of', async () => {
    const service = await serve(await openTestStore())
    const { headers } = await service.fetch(`/v1/evm/token-holders/7/${token}`)
    expect(headers.get('X-Compute-Units-Cost')).toBe('2')
    expect(headers.get('X-Block-Numbers')).toBe('7=5')
  })

  it('reduces a limit above 500 to 500, and 500 is the default', async () => {
    const store = await openTestStore()
    const holders = Array.from({ length: 501 }, (_, index) => ({
      holder: testAddress(1000 + index),
      token,
      amount: 1n,
    }))
    const service = await serve(store, { ...seven, balances: holders })
    for (const query of ['', '?limit=501', '?limit=100000']) {
      const page = await ask(service, `7/${token}${query}`)
      expect(page.holders).toHaveLength(500)
      expect(page.next_offset).not.toBeNull()
    }
  })

  it('takes a cursor of another token, or a made-up one, as none', async () => {
    const service = await serve(await openTestStore())
    const { next_offset } = await ask(service, `7/${collection}?limit=1`)
    for (const offset of [next_offset, 'made-up', 'AAAA']) {
      const { holders } = await ask(service, `7/${token}?offset=${offset}`)
      expect(holders[0]?.wallet_address).toBe(testAddress(1))
    }
  })

  it('gives every holder exactly once, whatever the amounts and the page size', async () => {
    const store = await openTestStore()
    const service = await serve(store)
    // A token a run: what was answered at a head is remembered, and here one head has many pasts.
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
          await seedChain(store.db, { ...seven, tokens: [{ address: token }], balances })
          const expected = balances
            .filter(({ amount }) => amount > 0n)
            .sort((a, b) => Number(b.amount - a.amount) || (a.holder < b.holder ? -1 : 1))
            .map(({ holder }) => holder)
          const listed: string[] = []
          let offset: string | null | undefined = ''
          do {
            const page: TokenHoldersResponse = await ask(
              service,
              `7/${token}?limit=${limit}&offset=${offset}`,
            )
            listed.push(...page.holders.map(({ wallet_address }) => wallet_address))
            offset = page.next_offset
          } while (offset)
          expect(listed).toEqual(expected)
        },
      ),
      { numRuns: 15 },
    )
  })
})

async function serve(store: Store, chain: SeededChain = seven): Promise<TestService> {
  await seedChain(store.db, chain)
  return await startTestService(store, [testChainConfig(7)])
}

async function ask(service: TestService, path: string): Promise<TokenHoldersResponse> {
  const response = await service.fetch(`/v1/evm/token-holders/${path}`)
  const body = (await response.json()) as TokenHoldersResponse
  expect([response.status, isTokenHoldersResponse(body)]).toEqual([200, true])
  return body
}
