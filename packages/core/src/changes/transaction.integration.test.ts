// Waits for changes by transactions of a local node, through viem.
import { type Address, createPublicClient, http, parseEther, type PublicClient } from 'viem'
import { optimism } from 'viem/chains'
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  expectTypeOf,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import { json } from '../../test/createFakeService.ts'
import { startAnvil } from '../../test/startAnvil.ts'
import {
  type AwaitedTransaction,
  type Client,
  createClient,
  tokenBalanceQueryOptions,
  type TransactionClient,
  type TransactionState,
  waitForChange,
  type WaitForChangeOptions,
  watchForChange,
} from '../index.ts'

let anvil: Awaited<ReturnType<typeof startAnvil>>
let from: Address
let client: Client
/** The recipient of the current test. */
let to: Address
let recipients = 0
/** The number of blocks by which the service is behind the node. */
let lag = 0n
let hasBlockHeader = true
let requests: bigint[] = []
/** How often the node returned the transaction. */
let reads = 0

/** Answers with the balance of the recipient on the node. */
const fetch = (async (url) => {
  const [, address] = /balances\/(0x[\da-f]+)/.exec(String(url)) ?? []
  const blockNumber = (await anvil.node.getBlockNumber()) - lag
  requests.push(blockNumber)
  const amount = await anvil.node.getBalance({ address: address as Address, blockNumber })
  return json(
    {
      wallet_address: address,
      balances: [{ chain_id: 31337, address: 'native', amount: String(amount) }],
    },
    { headers: hasBlockHeader ? { 'x-block-numbers': `1=5,31337=${blockNumber}` } : {} },
  )
}) as typeof globalThis.fetch

beforeAll(async () => {
  anvil = await startAnvil()
  from = (await anvil.node.getAddresses())[0]!
})
afterAll(() => anvil.stop())
beforeEach(() => {
  to = `0x${String(++recipients).padStart(40, 'f')}`
  lag = 0n
  hasBlockHeader = true
  requests = []
  client = createClient({ baseUrl: 'https://example.org', fetch, ssr: false })
  const { getTransaction } = anvil.node
  reads = 0
  vi.spyOn(anvil.node, 'getTransaction').mockImplementation(async (parameters) => {
    const transaction = await getTransaction(parameters)
    reads++
    return transaction
  })
  return () => {
    vi.restoreAllMocks()
    client.destroy()
  }
})

const gwei = 10n ** 9n
const send = async (
  more: { nonce?: number; tip?: bigint; to?: Address; value?: bigint; data?: '0xfe' } = {},
) => {
  const { tip = 1n, data, nonce = await anvil.node.getTransactionCount({ address: from }) } = more
  return anvil.node.sendTransaction({
    account: from,
    nonce,
    value: more.value ?? (data ? 0n : parseEther('1')),
    gas: 100_000n,
    maxFeePerGas: (50n + 50n * tip) * gwei,
    maxPriorityFeePerGas: tip * gwei,
    ...(data ? { data } : { to: more.to ?? to }),
  })
}
const mine = () => anvil.node.mine({ blocks: 1 })

const balanceQuery = () =>
  tokenBalanceQueryOptions(client, { address: to, tokenAddress: 'native', chainIds: [31337] })

/** Starts a wait for the balance of the recipient. */
function wait(
  transaction: Omit<AwaitedTransaction, 'client'>,
  options: WaitForChangeOptions<unknown> = {},
) {
  return waitForChange(client, balanceQuery(), {
    transaction: { client: anvil.node, ...transaction },
    ...options,
  })
}
/** Starts the same wait, with the states of its transaction. */
function watch(transaction: Omit<AwaitedTransaction, 'client'>) {
  const states: TransactionState[] = []
  const stream = watchForChange(client)
  const subscription = stream.subscribe(({ transaction: state }) => {
    if (state && state !== states.at(-1)) {
      states.push(state)
    }
  })
  onTestFinished(() => subscription.unsubscribe())
  const result = stream.getSnapshot().waitForChange(balanceQuery(), {
    transaction: { client: anvil.node, ...transaction },
  })
  return { states, result }
}
/** Resolves when the wait has requested the balance before its transaction, and has read the transaction. */
const untilRead = () => expect.poll(() => Math.min(requests.length, reads)).toBeGreaterThan(0)
const amountOf = (data: { balances: readonly { amount: string }[] } | undefined) =>
  data?.balances[0]?.amount

describe('waitForChange with a transaction', () => {
  it('waits for its block, then for the service', async () => {
    const hash = await send()
    const result = wait({ hash })
    await untilRead()
    await mine()
    const settled = await result
    expect(settled).toMatchObject({
      reason: 'changed',
      error: null,
      transaction: { status: 'mined', hash, blockNumber: await anvil.node.getBlockNumber() },
    })
    expect(amountOf(settled.previous)).toBe('0')
    expect(amountOf(settled.data)).toBe(String(10n ** 18n))
    expect(requests).toHaveLength(2)
    expect(client.getUsage().spent).toBe(2)
  })

  it('waits for a service that is behind', async () => {
    const other = await send()
    await mine()
    await anvil.node.getTransactionReceipt({ hash: other })
    lag = 1n
    const hash = await send()
    const result = wait({ hash })
    await untilRead()
    await mine()
    // The service has the transfer before.
    await expect.poll(() => requests.length).toBeGreaterThan(2)
    lag = 0n
    const { reason, data, previous } = await result
    expect(reason).toBe('changed')
    expect([amountOf(previous), amountOf(data)]).toEqual(['0', String(2n * 10n ** 18n)])
  })

  it('accepts a change after it was mined from a service that does not report blocks', async () => {
    hasBlockHeader = false
    const hash = await send()
    const result = wait({ hash })
    await untilRead()
    await mine()
    await expect(result).resolves.toMatchObject({ reason: 'changed' })
  })

  it('reports that it changes nothing of the query', async () => {
    const hash = await send({ to: from })
    const result = wait({ hash })
    await untilRead()
    await mine()
    await expect(result).resolves.toMatchObject({
      reason: 'unchanged',
      transaction: { status: 'mined', hash },
    })
    expect(requests).toHaveLength(2)
    // It was mined before the wait, so the initial response contains it.
    await expect(wait({ hash })).resolves.toMatchObject({ reason: 'unchanged' })
  })

  it('reports one that is reverted', async () => {
    const hash = await send({ data: '0xfe' })
    const result = wait({ hash })
    await mine()
    await expect(result).resolves.toMatchObject({
      reason: 'reverted',
      transaction: { status: 'reverted', hash },
    })
  })

  it('follows one that is sped up', async () => {
    const nonce = await anvil.node.getTransactionCount({ address: from })
    const hash = await send({ nonce })
    const result = wait({ hash })
    await untilRead()
    const faster = await send({ nonce, tip: 3n })
    await mine()
    // The blocks between are found by a search.
    await anvil.node.mine({ blocks: 9 })
    const settled = await result
    expect(settled).toMatchObject({
      reason: 'changed',
      transaction: { status: 'mined', hash: faster },
    })
    expect(amountOf(settled.data)).toBe(String(10n ** 18n))
    const { blockNumber } = await anvil.node.getTransactionReceipt({ hash: faster })
    expect(settled.transaction).toMatchObject({ blockNumber })
  })

  it.each([
    ['cancelled', () => ({ to: from, value: 0n })],
    ['replaced', () => ({ value: 5n })],
  ] as const)('reports one that is %s', async (replacementReason, other) => {
    const nonce = await anvil.node.getTransactionCount({ address: from })
    const hash = await send({ nonce })
    const result = wait({ hash })
    await untilRead()
    const replacement = await send({ nonce, tip: 3n, ...other() })
    await mine()
    await expect(result).resolves.toMatchObject({
      reason: 'replaced',
      transaction: { status: 'replaced', hash: replacement, replacementReason },
    })
  })

  it('reports one that is dropped', async () => {
    const hash = await send()
    const result = wait({ hash, droppedAfter: 400 })
    await untilRead()
    await anvil.node.dropTransaction({ hash })
    await expect(result).resolves.toMatchObject({
      reason: 'dropped',
      transaction: { status: 'dropped', hash },
    })
    expect(requests).toHaveLength(1)
    const unknown: AwaitedTransaction['hash'] = `0x${'1'.repeat(64)}`
    await expect(wait({ hash: unknown, droppedAfter: 200 })).resolves.toMatchObject({
      reason: 'dropped',
    })
  })

  it('reports one whose block left the chain', async () => {
    // The service does not reach the height of the block before its node reports the reorg.
    lag = 2n
    await anvil.node.mine({ blocks: 2 })
    const snapshot = await anvil.node.snapshot()
    const hash = await send()
    const { states, result } = watch({ hash, droppedAfter: 1000 })
    await mine()
    await expect.poll(() => states.at(-1)?.status).toBe('mined')
    await anvil.node.revert({ id: snapshot })
    await anvil.node.mine({ blocks: 2 })
    await expect(result).resolves.toMatchObject({
      status: 'reorged',
      transaction: { status: 'reorged', hash },
    })
    expect(states.map(({ status }) => status)).toEqual(['pending', 'mined', 'reorged'])
  })

  it('follows one that is mined again after a reorg', async () => {
    lag = 2n
    await anvil.node.mine({ blocks: 2 })
    const hash = await send()
    const raw = await anvil.node.request({
      method: 'eth_getRawTransactionByHash',
      params: [hash],
    } as never)
    const { states, result } = watch({ hash })
    await untilRead()
    await mine()
    const before = await anvil.node.getTransactionReceipt({ hash })
    await expect.poll(() => states.at(-1)?.status).toBe('mined')
    await anvil.node.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await expect.poll(() => states.at(-1)?.status).not.toBe('mined')
    await anvil.node.sendRawTransaction({ serializedTransaction: raw }).catch(() => undefined)
    await mine()
    lag = 0n
    const settled = await result
    const after = await anvil.node.getTransactionReceipt({ hash })
    expect(after.blockHash).not.toBe(before.blockHash)
    expect(settled).toMatchObject({
      status: 'changed',
      transaction: { status: 'mined', hash, blockHash: after.blockHash },
    })
  })

  it('continues after an error of the node, which it shows meanwhile', async () => {
    const hash = await send()
    let isBroken = true
    const flaky: TransactionClient = {
      ...anvil.node,
      getTransactionReceipt: (parameters) =>
        isBroken
          ? Promise.reject(new Error('Broken'))
          : anvil.node.getTransactionReceipt(parameters),
    }
    const stream = watchForChange(client)
    const subscription = stream.subscribe()
    const result = stream
      .getSnapshot()
      .waitForChange(balanceQuery(), { transaction: { hash, client: flaky } })
    await expect
      .poll(() => stream.getSnapshot())
      .toMatchObject({ status: 'pending', error: { name: 'UnexpectedError' } })
    isBroken = false
    await expect.poll(() => stream.getSnapshot().error).toBeNull()
    await mine()
    await expect(result).resolves.toMatchObject({ status: 'changed', error: null })
    subscription.unsubscribe()
  })
})

it('accepts the public clients of viem', () => {
  expectTypeOf<PublicClient>().toExtend<TransactionClient>()
  const ofChain = createPublicClient({ chain: optimism, transport: http() })
  expectTypeOf(ofChain).toExtend<TransactionClient>()
})
