import { expect, it } from 'vitest'
import { type BalancesResponse, isBalancesResponse } from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress, testBlockHash } from '../../../test/seedChain.ts'
import { balanceOfIs, startBalanceNode } from '../../../test/startBalanceNode.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import { fromHex } from '../../store/hex.ts'
import type { Store } from '../../store/Store.ts'

const wallet = testAddress(0xab)
const stranger = testAddress(0xcd)
const { usd } = testTokens
/** Read from the chain: priced, unpriced, with nothing or less by the ledger, and one whose contract refuses. */
const [deep, blank, emptied, below, broken] = [1, 2, 3, 4, 5].map((at) => testAddress(0x100 + at))
const honest = testAddress(0x200)
const amounts = { [deep!]: 70n, [blank!]: 7n, [emptied!]: 3n, [below!]: 0n }

/** Serves a wallet with these tokens; what is not in `read` the node does not tell. */
async function start(store: Store, read: Readonly<Record<string, bigint>> = amounts) {
  const odd = [deep, blank, emptied, below, broken] as `0x${string}`[]
  await seedChain(store.db, {
    chainId: 7,
    blocks: { 3: 1_700_000_000 },
    tokens: [...odd, honest, usd].map((address) => ({ address, decimals: 0 })),
    balances: [
      ...odd.map((token, at) => ({ holder: wallet, token, amount: [999n, 5n, 0n, -4n, 8n][at]! })),
      { holder: wallet, token: honest, amount: 11n },
    ],
    pools: [
      {
        address: testAddress(0x900),
        token0: usd,
        token1: deep!,
        states: { 3: [10n ** 6n, 10n ** 6n] },
      },
    ],
  })
  await readFromChain(store, odd)
  const state: Record<string, bigint | Record<string, `0x${string}`>> = { [wallet]: 1n }
  for (const [token, amount] of Object.entries(read)) {
    state[token] = { ...balanceOfIs(wallet, amount), ...balanceOfIs(stranger, amount + 1n) }
  }
  const node = await startBalanceNode({ [testBlockHash(7, 3)]: state })
  const service = await startTestService(store, [testChainConfig(7, { rpcUrls: [node.url] })])
  const ask = async (path: string): Promise<BalancesResponse> => {
    const response = await service.fetch(`/v1/evm/balances/${path}`)
    const body: unknown = await response.json()
    expect([response.status, isBalancesResponse(body)]).toEqual([200, true])
    return body as BalancesResponse
  }
  return { ...service, node, ask }
}

async function readFromChain({ db }: Store, tokens: readonly string[]): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ amounts_from: 'chain' })
    .where('address', 'in', tokens.map(fromHex))
    .executeTakeFirst()
  expect(numUpdatedRows).toBe(BigInt(tokens.length))
}

const amountsOf = ({ balances }: BalancesResponse) =>
  balances.map(({ address, amount }) => [address, amount])

describeEachStore('tokens whose ledger was wrong', (openTestStore) => {
  it('are told as the chain tells them at the head, whatever the ledger says, and valued so', async () => {
    const { ask } = await start(await openTestStore())
    const body = await ask(`${wallet}?chain_ids=7&filters=erc20`)
    expect(amountsOf(body)).toEqual([
      [deep, '70'],
      [blank, '7'],
      [emptied, '3'],
      [honest, '11'],
    ])
    expect(body.balances[0]).toMatchObject({ price_usd: 1, value_usd: 70 })
  })

  it('errors in balances: what could not be read is beside what could, and never a number', async () => {
    const { ask } = await start(await openTestStore())
    const body = await ask(`${wallet}?chain_ids=7`)
    expect(body.errors?.token_errors).toEqual([
      { chain_id: 7, address: broken, description: expect.any(String) as string },
    ])
    expect(body.balances.map(({ address }) => address)).not.toContain(broken)
  })

  it('are asked for once a head also where the contract refuses, which is remembered with the rest', async () => {
    const { ask, node } = await start(await openTestStore())
    const first = await ask(`${wallet}?chain_ids=7`)
    const before = node.requestCount()
    const { errors, balances } = await ask(`${wallet}?chain_ids=7`)
    expect({ errors, balances }).toEqual({ errors: first.errors, balances: first.balances })
    expect((await ask(`${wallet}?chain_ids=7&limit=2`)).errors).toEqual(first.errors)
    expect(node.requestCount()).toBe(before)
  })

  it('are not read where exclude_spam_tokens leaves them out anyway', async () => {
    const { ask, node } = await start(await openTestStore())
    const body = await ask(`${wallet}?chain_ids=7&exclude_spam_tokens=true`)
    expect(node.requestCount()).toBe(2)
    expect(amountsOf(body)).toEqual([
      [deep, '70'],
      ['native', '1'],
    ])
  })

  it('are read up to a bound, the deepest first; the others are named', async () => {
    const store = await openTestStore()
    const { ask, node } = await start(store)
    const many = Array.from({ length: 1300 }, (_, at) => testAddress(0x10_000 + at))
    const tokens = many.map((address) => ({ address, decimals: 0 }))
    await seedChain(store.db, {
      chainId: 7,
      blocks: { 3: 1_700_000_000 },
      tokens: [...tokens, { address: deep!, decimals: 0 }, { address: usd, decimals: 0 }],
      balances: [
        ...many.map((token) => ({ holder: wallet, token, amount: 1n })),
        { holder: wallet, token: deep!, amount: 1n },
      ],
      pools: [
        {
          address: testAddress(0x900),
          token0: usd,
          token1: deep!,
          states: { 3: [10n ** 6n, 10n ** 6n] },
        },
      ],
    })
    // As addresses go it is the first; the node refuses all others.
    await readFromChain(store, [...many, deep!])
    const before = node.requestCount()
    const body = await ask(`${wallet}?chain_ids=7&filters=erc20`)
    expect(node.requestCount() - before).toBe(200)
    expect(amountsOf(body)).toEqual([[deep, '70']])
    expect(body.errors?.token_errors).toHaveLength(199 + 1000)
  })

  it('are told one by one as well, also to who never met them', async () => {
    const { ask, fetch } = await start(await openTestStore())
    const one = async (token: string, of: string = wallet) =>
      amountsOf(await ask(`${of}/token/${token}?chain_ids=7`))
    expect(await one(deep!)).toEqual([[deep, '70']])
    expect(await one(below!)).toEqual([[below, '0']])
    expect(await one(emptied!, stranger)).toEqual([[emptied, '4']])
    expect(await one(honest)).toEqual([[honest, '11']])
    const response = await fetch(`/v1/evm/balances/${wallet}/token/${broken}?chain_ids=7`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'NODES_UNAVAILABLE' })
  })
})
