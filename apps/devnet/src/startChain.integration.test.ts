import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  toEventSelector,
} from 'viem'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { erc20Abi, oddAbi } from './contracts/abi.ts'
import { compileContracts } from './contracts/compileContracts.ts'
import type { DevnetChain } from './DevnetChain.ts'
import { accounts, getAccount } from './scenarios/accounts.ts'
import { devnetOdd } from './scenarios/devnetOdd.ts'
import { devnetOne } from './scenarios/devnetOne.ts'
import { devnetTwo } from './scenarios/devnetTwo.ts'
import { oddUris } from './scenarios/oddUris.ts'
import type { OddKind, Scenario } from './scenarios/Scenario.ts'
import { startChain, type StartChainOptions } from './startChain.ts'
import { deploymentOf } from './world/Deployment.ts'
import { planPast } from './world/planPast.ts'

const until = new Date('2026-01-01T00:00:00Z')
const quiet = { scenario: devnetTwo, seed: 'test', until, days: 1, live: false } as const
const alice = getAccount('alice').address
const bob = getAccount('bob').address

/** The signature of the event in Seaport. */
const orderFulfilled =
  'OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])'

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

const shared = new Map<Scenario, Promise<DevnetChain>>()
afterAll(async () => {
  await Promise.all([...shared.values()].map(async (chain) => (await chain).kill()))
})

/** A chain for tests that only append blocks. */
function sharedChain(scenario: Scenario): Promise<DevnetChain> {
  const chain = shared.get(scenario) ?? startChain({ ...quiet, scenario })
  shared.set(scenario, chain)
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

test('the same seed and end give the same blocks', async () => {
  const [one, two, other] = await Promise.all([start(), start(), start({ seed: 'other' })])
  const head = await block(one)
  expect(head.hash).toBe((await block(two)).hash)
  expect(head.hash).not.toBe((await block(other)).hash)
  expect(Number(head.timestamp)).toBe(until.getTime() / 1_000)
  expect(await one.rpc.call('eth_accounts')).toEqual(accounts.map(({ address }) => address))
})

test('the planned balances equal those of the contracts', async () => {
  const chain = await start({ scenario: devnetOne, days: 2 })
  const bytecodes = await compileContracts()
  const past = planPast(devnetOne, { seed: 'test', days: 2, bytecodes })
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
  const ranger = getAccount('ranger').address
  const expected = ledger.tokens.flatMap((token) =>
    [...ledger.holdersOf(token)]
      .filter(([holder]) => holder !== ranger)
      .map(([holder, balance]) => ({ token, holder, balance })),
  )
  expect(expected.length).toBeGreaterThan(300)
  const found = await balances(
    chain,
    expected.map(({ token, holder }) => [token, holder]),
  )
  expect(found).toEqual(expected.map(({ balance }) => balance))
  // Balances of the ranger, its Uniswap V3 pools and the venues are planned in sum only.
  const lump = [
    ...[ranger, ...(chain.venues?.holders ?? [])],
    ...chain.concentratedPools.map(({ address }) => address),
  ]
  for (const token of ledger.tokens) {
    const parts = await balances(
      chain,
      lump.map((holder) => [token, holder]),
    )
    expect(parts.reduce((sum, part) => sum + part)).toBe(ledger.balanceOf(token, ranger))
    const supply = await chain.rpc.call<Hex>(
      'eth_call',
      { to: token, data: '0x18160ddd' },
      'latest',
    )
    expect(BigInt(supply)).toBe(ledger.totalOf(token))
  }
})

test('a saved chain continues with its logs and receipts', async () => {
  const first = await start({ dataFolder })
  const token = first.token('KELP').address
  const sent = await first.transfer({
    token,
    from: getAccount('treasury').address,
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
    from: getAccount('treasury').address,
    status: '0x1',
  })
  for (let count = 0; count < 20; count++) {
    await second.mineTraffic()
  }
  const after = await block(second)
  expect(Number(after.number)).toBe(Number(before.number) + 20)
  const news = await second.rpc.call<unknown[]>('eth_getLogs', {
    fromBlock: numberToHex(Number(before.number) + 1),
    toBlock: after.number,
  })
  expect(news.length).toBeGreaterThan(0)
})

test('a chain without a saved state is created again with the same blocks', async () => {
  const first = await start({ dataFolder })
  const { hash } = await block(first)
  await first.kill()
  await rm(join(dataFolder, '31338', 'state.json'))
  const second = await start({ dataFolder, until: new Date() })
  expect((await block(second)).hash).toBe(hash)
})

test('a folder in use, another seed and a damaged state are rejected', async () => {
  const chain = await start({ dataFolder })
  await expect(start({ dataFolder })).rejects.toThrow(/is in use by a devnet/)
  await chain.stop()
  await expect(start({ dataFolder, seed: 'other' })).rejects.toThrow(
    /was created with the seed "test"/,
  )
  await writeFile(join(dataFolder, '31338', 'state.json'), '{"block":')
  await expect(start({ dataFolder })).rejects.toThrow(/damaged .* delete the devnet's data folder/)
})

test('a port in use is reported', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await expect(start({ port })).rejects.toThrow(
    `Port ${port} is in use by another program: stop that program, or choose other ports with --ports.`,
  )
  other.close()
})

test('a reorg replaces blocks and undoes their transactions', async () => {
  const chain = await sharedChain(devnetTwo)
  await chain.mine(5)
  const token = chain.token('AUSD').address
  const [before] = await balances(chain, [[token, bob]])
  const from = getAccount('treasury').address
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
  for (let count = 0; count < 5; count++) {
    await chain.mineTraffic()
  }
})

test('transfers, swaps, wraps and unwraps on demand', async () => {
  const chain = await sharedChain(devnetTwo)
  const weth = chain.token('WETH').address
  const pool = chain.pools[0]
  if (!pool) {
    throw new Error('The scenario has no pool')
  }
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

test('collections return metadata, and sales pay the seller', async () => {
  const chain = await sharedChain(devnetOdd)
  const [buoy, crate, drift] = ['BUOY', 'CRATE', 'DRIFT'].map((name) => chain.collection(name))
  if (!buoy || !crate || !drift) {
    throw new Error('The scenario has too few collections')
  }
  const { blockNumber } = await chain.mintCollectible({ collection: buoy, to: alice })
  const [minted] = await chain.rpc.call<{ topics: Hex[] }[]>('eth_getLogs', {
    fromBlock: numberToHex(blockNumber),
    address: buoy.address,
  })
  const tokenId = BigInt(minted?.topics[3] ?? 0)
  const price = 10n ** 18n
  const native = () => chain.rpc.call<Hex>('eth_getBalance', bob, 'latest')
  const before = BigInt(await native())
  const sold = await chain.sellCollectible({
    collection: buoy,
    tokenId,
    from: alice,
    to: bob,
    price,
  })
  expect(before - BigInt(await native())).toBeGreaterThanOrEqual(price)
  const fulfilled = await chain.rpc.call<unknown[]>('eth_getLogs', {
    fromBlock: numberToHex(sold.blockNumber),
    address: chain.marketplace,
    topics: [toEventSelector(orderFulfilled)],
  })
  expect(fulfilled).toHaveLength(1)
  await chain.transferCollectible({ collection: buoy, tokenId, from: bob, to: alice })
  await chain.mintCollectible({ collection: crate, to: alice, tokenId: 2n, amount: 5n })
  await chain.sellCollectible({
    collection: crate,
    tokenId: 2n,
    from: alice,
    to: bob,
    price,
    amount: 3n,
  })
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const abi = parseAbi([
    'function tokenURI(uint256) view returns (string)',
    'function uri(uint256) view returns (string)',
    'function ownerOf(uint256) view returns (address)',
    'function balanceOf(address, uint256) view returns (uint256)',
  ])
  const read = (address: Address, functionName: 'tokenURI' | 'uri', id: bigint) =>
    client.readContract({ abi, address, functionName, args: [id] })
  expect(
    await client.readContract({
      abi,
      address: buoy.address,
      functionName: 'ownerOf',
      args: [tokenId],
    }),
  ).toBe(getAddress(alice))
  expect(
    await client.readContract({
      abi,
      address: crate.address,
      functionName: 'balanceOf',
      args: [bob, 2n],
    }),
  ).toBeGreaterThanOrEqual(3n)
  for (const uri of [
    await read(buoy.address, 'tokenURI', tokenId),
    await read(crate.address, 'uri', 2n),
  ]) {
    const { name, image } = parsed(uri)
    expect(name).toMatch(/#\d+$/)
    expect(decoded(image)).toMatch(/^<svg .*<path .*<\/svg>$/)
  }
  for (const [index, uri] of oddUris.entries()) {
    const result = read(drift.address, 'tokenURI', BigInt(index + 1))
    if (uri === 'revert') {
      await expect(result).rejects.toThrow(/revert/)
    } else {
      expect(await result).toBe(uri)
    }
  }
  const positions = deploymentOf(devnetOdd).concentrated.positions
  expect(decoded(parsed(await read(positions, 'tokenURI', 1n)).image)).toMatch(/^<svg /)
})

test('Uniswap V3 pools have liquidity, except the one out of range', async () => {
  const chain = await sharedChain(devnetOdd)
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const abi = parseAbi(['function liquidity() view returns (uint128)'])
  for (const { address, plan } of chain.concentratedPools) {
    expect(await client.readContract({ abi, address, functionName: 'liquidity' })).toSatisfy(
      (liquidity: bigint) => liquidity > 0n !== (plan.outOfRange ?? false),
    )
  }
  const [pool] = chain.concentratedPools
  if (!pool) {
    throw new Error('The scenario has no Uniswap V3 pool')
  }
  const [before] = await balances(chain, [[pool.base.address, alice]])
  await chain.deposit({ from: alice, amount: 10n ** 18n })
  const { blockNumber } = await chain.swapConcentrated({
    pool,
    from: alice,
    tokenIn: chain.token('WETH').address,
    amountIn: 10n ** 18n,
  })
  const swaps = await chain.rpc.call<unknown[]>('eth_getLogs', {
    fromBlock: numberToHex(blockNumber),
    address: pool.address,
  })
  expect(swaps).toHaveLength(1)
  expect(await balances(chain, [[pool.base.address, alice]])).toEqual([before])
})

test('balances of odd tokens differ from their transfers', async () => {
  const chain = await sharedChain(devnetOdd)
  const from = getAccount('treasury').address
  const to: Address = '0x00000000000000000000000000000000000000a1'
  const addressOf = (kind: OddKind) =>
    chain.oddTokens.find((token) => token.kind === kind)?.address ?? to
  const [toll, swell, hush, fib] = (
    ['fee-on-transfer', 'rebasing', 'silent-mint', 'lying'] as const
  ).map(addressOf) as [Address, Address, Address, Address]
  const give = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 10_000n] })
  const call = (target: Address, data: Hex) => {
    return { from, to: target, data, value: 0n, gas: 200_000 }
  }
  await chain.transact([
    call(toll, give),
    call(swell, give),
    call(swell, encodeFunctionData({ abi: oddAbi, functionName: 'rebase', args: [1_500n] })),
    call(hush, encodeFunctionData({ abi: oddAbi, functionName: 'mintSilently', args: [to, 7n] })),
    call(fib, encodeFunctionData({ abi: oddAbi, functionName: 'lie', args: [from, to, 9n] })),
  ])
  const tokens = [toll, swell, hush, fib]
  const [tollOf, swellOf, ...rest] = await balances(
    chain,
    tokens.map((token) => [token, to]),
  )
  expect(tollOf).toBe(9_800n)
  expect(Number(swellOf)).toBeGreaterThan(14_000)
  expect(rest).toEqual([7n, 0n])
})

/** The JSON of a base64 data URI. */
function parsed(uri: string): { name: string; image: string } {
  return JSON.parse(decoded(uri)) as { name: string; image: string }
}

/** The text of a base64 data URI. */
function decoded(uri: string): string {
  expect(uri).toMatch(/^data:[a-z/+]+;base64,/)
  return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64').toString()
}

test('a crashed anvil is reported with a remedy', async () => {
  let report: (error: Error) => void = () => undefined
  const failed = new Promise<Error>((resolve) => (report = resolve))
  const chain = await start({
    onFailure: (error) => {
      report(error)
    },
  })
  process.kill(chain.processId, 'SIGKILL')
  expect((await failed).message).toBe(
    'Chain 31338 (devnet-two) stopped: anvil exited. Start it again to continue from its last saved state.',
  )
})

test('mines blocks automatically unless it is paused', async () => {
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

test('mines a transaction of another client at once while the traffic runs', async () => {
  const chain = await start({ live: true, blockTime: 3_600 })
  await chain.mineTraffic()
  const number = async () => Number((await block(chain)).number)
  const sendWei = () =>
    chain.rpc.call('eth_sendTransaction', { from: alice, to: bob, value: '0x1' })
  const before = await number()
  await sendWei()
  await expect.poll(number).toBe(before + 1)
  // Many transactions, in one block.
  await chain.mineTraffic()
  expect(await number()).toBe(before + 2)
  await chain.pause()
  await sendWei()
  expect(await chain.rpc.call('txpool_status')).toMatchObject({ pending: '0x1' })
})
