import { createServer } from 'node:net'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, type Hex, numberToHex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compileToken } from './contracts/compileToken.ts'
import type { DevnetChain } from './DevnetChain.ts'
import { actorNamed, actors } from './scenarios/actors.ts'
import { devnetOne } from './scenarios/devnetOne.ts'
import { devnetTwo } from './scenarios/devnetTwo.ts'
import { startChain, type StartChainOptions } from './startChain.ts'
import { planPast } from './world/planPast.ts'

const until = new Date('2026-01-01T00:00:00Z')
const quiet = { scenario: devnetTwo, seed: 'test', until, days: 1, live: false } as const
const alice = actorNamed('alice').address
const bob = actorNamed('bob').address

let dataFolder: string
const running = new Set<DevnetChain>()

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-chain-'))
})
afterEach(async () => {
  await Promise.all([...running].map((chain) => chain.kill()))
  running.clear()
  await rm(dataFolder, { recursive: true, force: true })
})

async function start(options: Partial<StartChainOptions> = {}): Promise<DevnetChain> {
  const chain = await startChain({ ...quiet, ...options })
  running.add(chain)
  return chain
}

interface Block {
  number: Hex
  hash: Hex
  timestamp: Hex
  transactions: Hex[]
}

function block(chain: DevnetChain, number: Hex | 'latest' = 'latest'): Promise<Block> {
  return chain.rpc.call<Block>('eth_getBlockByNumber', number, false)
}

/** `balanceOf` of every pair of a token and a holder. */
async function balances(chain: DevnetChain, pairs: [Address, Address][]): Promise<bigint[]> {
  const results = await chain.rpc.batch(
    pairs.map(([to, holder]) => {
      const data = `0x70a08231${holder.slice(2).padStart(64, '0')}`
      return ['eth_call', [{ to, data }, 'latest']] as const
    }),
  )
  return results.map((result) => BigInt(result as Hex))
}

test('the same seed and the same end give the same blocks', async () => {
  const [one, two, other] = await Promise.all([start(), start(), start({ seed: 'other' })])
  const head = await block(one)
  expect(head.hash).toBe((await block(two)).hash)
  expect(head.hash).not.toBe((await block(other)).hash)
  expect(Number(head.timestamp)).toBe(until.getTime() / 1_000)
  expect(await one.rpc.call('eth_accounts')).toEqual(actors.map(({ address }) => address))
})

test('what was planned is what the contracts did, to the last unit', async () => {
  const chain = await start({ scenario: devnetOne, days: 2 })
  const tokenBytecode = await compileToken()
  const past = planPast(devnetOne, { seed: 'test', days: 2, tokenBytecode })
  const hashes: Hex[] = []
  let number = 0
  for (const { transactions } of past.plan) {
    const mined = await block(chain, numberToHex(++number))
    expect(mined.transactions).toHaveLength(transactions.length)
    hashes.push(...mined.transactions)
  }
  const receipts = await chain.rpc.batch(
    hashes.map((hash) => ['eth_getTransactionReceipt', [hash]] as const),
  )
  expect(receipts.filter((receipt) => (receipt as { status: Hex }).status !== '0x1')).toEqual([])

  const { ledger } = past.world
  const expected = ledger.tokens.flatMap((token) =>
    [...ledger.holdersOf(token)].map(([holder, balance]) => ({ token, holder, balance })),
  )
  expect(expected.length).toBeGreaterThan(300)
  const found = await balances(
    chain,
    expected.map(({ token, holder }) => [token, holder]),
  )
  expect(found).toEqual(expected.map(({ balance }) => balance))
  for (const token of ledger.tokens) {
    const supply = await chain.rpc.call<Hex>(
      'eth_call',
      { to: token, data: '0x18160ddd' },
      'latest',
    )
    expect(BigInt(supply)).toBe(ledger.totalOf(token))
  }
})

test('goes on where it was, with its logs and receipts, and a present', async () => {
  const first = await start({ dataFolder })
  const token = first.token('KELP').address
  const sent = await first.transfer({
    token,
    from: actorNamed('treasury').address,
    to: bob,
    amount: 5n,
  })
  const before = await block(first)
  const everything = { fromBlock: '0x0', toBlock: before.number }
  const logs = await first.rpc.call<unknown[]>('eth_getLogs', everything)
  const native = await first.rpc.call('eth_getBalance', alice, 'latest')
  await first.stop()

  const second = await start({ dataFolder, seed: undefined })
  expect((await block(second)).hash).toBe(before.hash)
  expect(await second.rpc.call('eth_getBalance', alice, 'latest')).toBe(native)
  expect(await second.rpc.call('eth_getLogs', everything)).toEqual(logs)
  expect(await second.rpc.call('eth_getTransactionReceipt', sent.hash)).toMatchObject({
    from: actorNamed('treasury').address,
    status: '0x1',
  })
  for (let count = 0; count < 20; count++) await second.live()
  const after = await block(second)
  expect(Number(after.number)).toBe(Number(before.number) + 20)
  const news = await second.rpc.call<unknown[]>('eth_getLogs', {
    fromBlock: numberToHex(Number(before.number) + 1),
    toBlock: after.number,
  })
  expect(news.length).toBeGreaterThan(0)
})

test('a chain whose state was never saved is made again, with the same blocks', async () => {
  const first = await start({ dataFolder })
  const { hash } = await block(first)
  await first.kill()
  await rm(join(dataFolder, '31338', 'state.json'))
  const second = await start({ dataFolder, until: new Date() })
  expect((await block(second)).hash).toBe(hash)
})

test('another seed for a kept chain is refused', async () => {
  await (await start({ dataFolder })).stop()
  await expect(start({ dataFolder, seed: 'other' })).rejects.toThrow(/grew from the seed "test"/)
})

test('a folder that a running devnet uses is refused', async () => {
  await start({ dataFolder })
  await expect(start({ dataFolder })).rejects.toThrow(/is in use by a devnet/)
})

test('a damaged state says what to do', async () => {
  await (await start({ dataFolder })).stop()
  await writeFile(join(dataFolder, '31338', 'state.json'), '{"block":')
  await expect(start({ dataFolder })).rejects.toThrow(/damaged .* delete the devnet's data folder/)
})

test('a taken port is named', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await expect(start({ port })).rejects.toThrow(
    `Port ${port.toString()} is taken by another program: end that program, or choose other ports with --ports.`,
  )
  other.close()
})

test('a reorg replaces blocks and undoes what was in them', async () => {
  const chain = await start()
  await chain.mine(5)
  const token = chain.token('AUSD').address
  const [before] = await balances(chain, [[token, bob]])
  const from = actorNamed('treasury').address
  const sent = await chain.transfer({ token, from, to: bob, amount: 7n })
  expect(await balances(chain, [[token, bob]])).toEqual([(before ?? 0n) + 7n])
  await chain.mine(4)
  const head = await block(chain)
  const kept = await block(chain, numberToHex(sent.blockNumber - 1))
  const replaced = await block(chain, numberToHex(sent.blockNumber))

  await chain.reorg(5)

  expect((await block(chain)).number).toBe(head.number)
  expect((await block(chain)).hash).not.toBe(head.hash)
  expect((await block(chain, replaced.number)).hash).not.toBe(replaced.hash)
  expect((await block(chain, kept.number)).hash).toBe(kept.hash)
  expect(await balances(chain, [[token, bob]])).toEqual([before])
  const again = await chain.transfer({ token, from, to: bob, amount: 3n })
  expect(again.blockNumber).toBe(Number(head.number) + 1)
  for (let count = 0; count < 5; count++) await chain.live()
})

test('transfers, swaps, wraps and unwraps on demand', async () => {
  const chain = await start()
  const weth = chain.token('WETH').address
  const pool = chain.pools[0]
  if (!pool) throw new Error('The scenario has no pool')
  const one = 10n ** 18n
  const [start0] = await balances(chain, [[weth, alice]])
  await chain.deposit({ from: alice, amount: 3n * one })
  await chain.withdraw({ from: alice, amount: one })
  await chain.transfer({ token: weth, from: alice, to: bob, amount: one })
  expect(await balances(chain, [[weth, alice]])).toEqual([(start0 ?? 0n) + one])
  const [dollars] = await balances(chain, [[pool.quote.address, alice]])
  await chain.swap({ pool, from: alice, tokenIn: weth, amountIn: one })
  const [more] = await balances(chain, [[pool.quote.address, alice]])
  expect(more).toBeGreaterThan(dollars ?? 0n)
  await expect(
    chain.transfer({ token: weth, from: alice, to: bob, amount: 10n ** 30n }),
  ).rejects.toThrow(/less than/)
})

test('an anvil that dies is reported with what to do', async () => {
  let report: (error: Error) => void = () => undefined
  const failed = new Promise<Error>((resolve) => (report = resolve))
  const chain = await start({
    onFailure: (error) => {
      report(error)
    },
  })
  process.kill(chain.processId, 'SIGKILL')
  expect((await failed).message).toBe(
    'Chain 31338 (devnet-two) stopped: its anvil ended. Start again: it goes on from its last saved state.',
  )
})

test('lives by itself, and rests while it is paused', async () => {
  const chain = await start({ live: true, blockTime: 0.05 })
  const past = Number((await block(chain)).number)
  await expect.poll(async () => Number((await block(chain)).number)).toBeGreaterThan(past + 3)
  const now = Date.now() / 1_000
  expect(Math.abs(Number((await block(chain)).timestamp) - now)).toBeLessThan(60)
  await chain.pause()
  const { number } = await block(chain)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await block(chain)).number).toBe(number)
  chain.resume()
  await expect.poll(async () => (await block(chain)).number).not.toBe(number)
})
