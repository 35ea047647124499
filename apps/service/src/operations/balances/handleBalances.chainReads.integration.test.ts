import { expect, it, vi } from 'vitest'
import { type BalancesResponse, isBalancesResponse } from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress, testBlockHash, toSameKey } from '../../../test/seedChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { balanceOfIs, startBalanceNode } from '../../../test/startBalanceNode.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import { NotableTokens } from '../../metadata/NotableTokens.ts'
import { fromHex, toHex } from '../../store/hex.ts'
import type { Store } from '../../store/Store.ts'

const wallet = testAddress(0xab)
const collector = toSameKey(wallet)
const stranger = testAddress(0xcd)
const { usd } = testTokens
/** Tokens whose ledger differs: priced, unpriced, with nothing and less in the ledger, and one that reverts. */
const onChain = [1, 2, 3, 4, 5].map((index) => testAddress(0x100 + index))
const [deep, blank, emptied, negative, broken] = onChain as [string, string, string, string, string]
const honest = testAddress(0x200)
/** More tokens of the collector that revert. By address, `deep` precedes all of them. */
const many = Array.from({ length: 900 }, (_, index) => testAddress(0x10_000 + index))
/** Tokens that anyone can create and send to the collector; the first one has a pool of 99 USD. */
const spam = Array.from({ length: 1200 }, (_, index) => testAddress(0x20_000 + index))

async function startService(store: Store) {
  await seedChain(store.db, {
    chainId: 7,
    blocks: { 3: 1_700_000_000 },
    tokens: [...onChain, ...many, ...spam, honest, usd].map((address) => ({
      address,
      decimals: 0,
    })),
    balances: [
      ...onChain.map((token, index) => ({
        holder: wallet,
        token,
        amount: [999n, 5n, 0n, -4n, 8n][index]!,
      })),
      { holder: wallet, token: honest, amount: 11n },
      ...[...many, ...spam, deep].map((token) => ({ holder: collector, token, amount: 1n })),
    ],
    pools: [
      {
        address: testAddress(0x900),
        token0: usd,
        token1: deep,
        states: { 3: [10n ** 6n, 10n ** 6n] },
      },
      {
        address: testAddress(0x901),
        token0: usd,
        token1: spam[0]!,
        states: { 3: [99n, 10n ** 6n] },
      },
    ],
  })
  const { numUpdatedRows } = await store.db
    .updateTable('tokens')
    .set({ amounts_from: 'chain' })
    .where('address', 'in', [...onChain, ...many, ...spam].map(fromHex))
    .executeTakeFirst()
  expect(numUpdatedRows).toBe(2105n)
  const listed = [...onChain, ...many]
  const tokenLists = { addresses: () => listed }
  await new NotableTokens({ db: store.db, chain: testChainConfig(7), tokenLists }).mark()
  const amounts = { [deep]: 70n, [blank]: 7n, [emptied]: 3n, [negative]: 0n }
  const contracts = Object.entries(amounts).map(([token, amount]) => [
    token,
    {
      ...balanceOfIs(wallet, amount),
      ...balanceOfIs(collector, amount),
      ...balanceOfIs(stranger, amount + 1n),
    },
  ])
  const node = await startBalanceNode({
    [testBlockHash(7, 3)]: { [wallet]: 1n, ...Object.fromEntries(contracts) },
  })
  const service = await startTestService(store, [testChainConfig(7, { rpcUrls: [node.url] })])
  const get = async (path: string): Promise<BalancesResponse> => {
    const response = await service.fetch(`/v1/evm/balances/${path}`)
    const body: unknown = await response.json()
    expect([response.status, isBalancesResponse(body)]).toEqual([200, true])
    return body as BalancesResponse
  }
  /** The number of balances that the node is requested for. */
  const countReads = async (action: () => Promise<unknown>) => {
    const before = node.requestCount()
    await action()
    return node.requestCount() - before
  }
  return { ...service, store, get, countReads }
}

const amountsOf = ({ balances }: BalancesResponse) =>
  balances.map(({ address, amount }) => [address, amount])

describeEachStore('balances of tokens whose ledger differs from the chain', (openTestStore) => {
  const getService = shareFixture(async () => await startService(await openTestStore()))

  it('are read from the chain once per head, limited to tokens that are not excluded as spam', async () => {
    const { get, countReads } = getService()
    const filtered = `${wallet}?chain_ids=7&exclude_spam_tokens=true`
    expect(
      await countReads(async () => {
        expect(amountsOf(await get(filtered))).toEqual([
          [deep, '70'],
          ['native', '1'],
        ])
      }),
    ).toBe(2)
    const first = await get(`${wallet}?chain_ids=7`)
    expect(
      await countReads(async () => {
        const { errors, balances } = await get(`${wallet}?chain_ids=7`)
        expect({ errors, balances }).toEqual({ errors: first.errors, balances: first.balances })
        expect((await get(`${wallet}?chain_ids=7&limit=2`)).errors).toEqual(first.errors)
      }),
    ).toBe(0)
  })

  it('are the amounts and values at the head, whatever the ledger contains', async () => {
    const body = await getService().get(`${wallet}?chain_ids=7&filters=erc20`)
    expect(amountsOf(body)).toEqual([
      [deep, '70'],
      [blank, '7'],
      [emptied, '3'],
      [honest, '11'],
    ])
    expect(body.balances[0]).toMatchObject({ price_usd: 1, value_usd: 70 })
    const { balances } = await getService().get(`${wallet}?chain_ids=7&metadata=audit`)
    expect(balances.map(({ address, token_metadata }) => [address, token_metadata])).toContainEqual(
      [deep, { audited_block: 3 }],
    )
  })

  it('are errors in the response if they cannot be read', async () => {
    const body = await getService().get(`${wallet}?chain_ids=7`)
    expect(body.errors?.token_errors).toEqual([
      { chain_id: 7, address: broken, description: expect.any(String) as string },
    ])
    expect(body.balances.map(({ address }) => address)).not.toContain(broken)
  })

  it('are also read for wallets without a log of the token, which become holders', async () => {
    const { get, store } = getService()
    const body = await get(`${stranger}?chain_ids=7&filters=erc20`)
    expect(amountsOf(body)).toEqual([
      [deep, '71'],
      [blank, '8'],
      [emptied, '4'],
      [negative, '1'],
    ])
    expect(body.errors).toBeUndefined()
    expect(body.warnings).toEqual([
      {
        code: 'BALANCES_NOT_READ',
        message: expect.stringContaining('705') as string,
        chain_ids: [7],
      },
    ])
    await vi.waitFor(async () => {
      const rows = await store.db
        .selectFrom('chain_amounts')
        .select('token')
        .where('holder', '=', fromHex(stranger))
        .orderBy('token')
        .execute()
      expect(rows.map(({ token }) => toHex(token))).toEqual([deep, blank, emptied, negative].sort())
    }, 10_000)
  })

  it('of wallets without a log are not read for tokens that are excluded as spam', async () => {
    const { get } = getService()
    const body = await get(`${stranger}?chain_ids=7&exclude_spam_tokens=true`)
    expect(amountsOf(body)).toEqual([[deep, '71']])
    expect(body.warnings).toBeUndefined()
  })

  it('are read for the 200 tokens with the most liquidity; some of the others are errors', async () => {
    const { get, countReads } = getService()
    const reads = await countReads(async () => {
      const body = await get(`${collector}?chain_ids=7&filters=erc20`)
      expect(amountsOf(body)).toEqual([[deep, '70']])
      expect(body.errors?.token_errors).toHaveLength(199 + 20)
      // Of `many`, those above both limits; of `onChain`, those that it does not hold; and 1,000 of 1,200, which is the most.
      const count = 900 - 199 - 20 + 4 + 1000
      expect(body.warnings).toMatchObject([
        { message: expect.stringContaining(` ${count} `) as string },
      ])
      expect(JSON.stringify(body).length).toBeLessThan(50_000)
    })
    // The node of the test executes no aggregated calls, which the first request finds.
    expect([200, 201]).toContain(reads)
  })

  it('are the same in tokenBalance, also for wallets without an entry in the ledger', async () => {
    const { get } = getService()
    const one = async (token: string, owner: string = wallet) =>
      amountsOf(await get(`${owner}/token/${token}?chain_ids=7`))
    expect(await one(deep)).toEqual([[deep, '70']])
    expect(await one(negative)).toEqual([[negative, '0']])
    expect(await one(emptied, stranger)).toEqual([[emptied, '4']])
    expect(await one(honest)).toEqual([[honest, '11']])
    const { balances, errors } = await get(`${wallet}/token/${broken}?chain_ids=7`)
    expect(balances).toEqual([])
    expect(errors?.token_errors).toEqual([
      { chain_id: 7, address: broken, description: expect.stringContaining('contract') as string },
    ])
  })
})
