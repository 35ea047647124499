import { expect, it, onTestFinished } from 'vitest'
import { FakeChain, type FakeEvent } from '../../test/FakeChain.ts'
import { nftTransfer, venueEvent } from '../../test/fakeEvents.ts'
import { testAddress } from '../../test/seedChain.ts'
import { FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { capacityModel, estimateChain } from './estimateChain.ts'
import { formatEstimate } from './formatEstimate.ts'
import { sampleChain } from './sampleChain.ts'

/** Numbers from 0 to 1 that are the same in each run. */
function createRandom(): () => number {
  let state = 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

/** A chain whose density grows, with popular pairs and ones that receive once. */
async function startChain() {
  const chain = new FakeChain()
  const random = createRandom()
  const pairs = new Set<string>()
  let transfers = 0
  let collectibles = 0
  for (let number = 1; number < 160; number++) {
    const events: FakeEvent[] = []
    for (let index = 0; index < 1 + Math.floor((6 * random() * number) / 80); index++) {
      const token = testAddress(0x100 + Math.floor(3 * random()))
      const to = testAddress(
        random() < 0.5 ? 1 + Math.floor(5 * random()) : 0x1000 + Math.floor(1e6 * random()),
      )
      events.push({ type: 'transfer', token, from: testAddress(0), to, amount: 5n })
      // Without effect.
      events.push({ type: 'transfer', token, from: to, to: testAddress(9), amount: 0n })
      pairs.add(`${token} ${to}`)
      transfers++
    }
    if (number % 4 === 0) {
      const to = testAddress(number)
      events.push(nftTransfer(testAddress(0x200), { from: testAddress(0), to }, BigInt(number)))
      pairs.add(`nft ${to}`)
      collectibles++
    }
    // Also of pools that are not configured.
    const pool = testAddress(0x300 + (number % 7))
    events.push({ type: 'sync', pool, reserve0: 1n, reserve1: 1n })
    events.push({ type: 'sync', pool, reserve0: 2n, reserve1: 2n })
    if (number % 8 === 0) {
      const token0 = testAddress(0x100)
      const token1 = testAddress(0x101)
      events.push({ type: 'pair', factory: testAddress(0x400), token0, token1, pool })
      events.push(
        venueEvent(
          testAddress(0x500),
          'TokenExchange(address,int128,uint256,int128,uint256)',
          [pool],
          [0, 1, 1, 1],
        ),
      )
    }
    chain.mine(events)
  }
  const node = await startFakeNode(chain)
  onTestFinished(() => node.close())
  const config = testChainConfig(1, { rpcUrls: [{ url: node.url, requestsPerSecond: 10_000 }] })
  return { node, config, transfers, collectibles, pairs: pairs.size }
}

it('estimates the rows of a chain whose totals are known, with their errors', async () => {
  const { node, config, ...known } = await startChain()
  const lines: string[] = []
  const sample = (count: number) =>
    sampleChain({
      chain: config,
      count,
      random: createRandom(),
      node: new ChainNode(config.rpcUrls),
      signal: new AbortController().signal,
      onProgress: (line) => lines.push(line),
    })
  const measured = await sample(80)
  const { modelled } = estimateChain(1, measured)
  expect(modelled.blocks).toBe(160)
  for (const key of ['transfers', 'collectibles'] as const) {
    const { value, error } = modelled[key]
    expect(Math.abs(value - known[key])).toBeLessThan(3 * error)
    expect(error).toBeLessThan(known[key] / 3)
  }
  expect(measured.pairsPerTransfer?.transfers).toBe(60)
  expect(Math.abs(modelled.pairs.value / known.pairs - 1)).toBeLessThan(0.25)
  expect(modelled.bytes.balances).toBe(modelled.pairs.value * capacityModel.pairBytes)
  expect(lines).toContain('sampling blocks: 0 of 80')

  // All blocks are the chain itself.
  const whole = estimateChain(1, await sample(200))
  expect(whole.modelled.transfers.value).toBe(known.transfers)
  expect(whole.modelled.collectibles.value).toBe(known.collectibles)
  const { factBytes } = capacityModel
  expect(whole.modelled.bytes.facts).toBe(
    160 * factBytes.blocks +
      (known.transfers + known.collectibles) * factBytes.transfers +
      2 * 159 * factBytes.pool_events +
      19 * (factBytes.pools + factBytes.pool_logs),
  )
  const { fold } = whole.modelled.times[0] ?? {}
  expect(fold).toBe(Math.ceil((known.transfers + known.collectibles) / 383_000))
  expect(formatEstimate(whole)).toMatch(
    /pool events +1\.99 ± 0\.01 per block[^]*2 cores, as configured .* fold and load 1 s\n.*2 cores, from files.*\n.*8 cores, .* fold and load at least 1 s/,
  )

  // A node that limits ranges, for which searching each pair would take too many requests.
  node.transformResult = (method, params, result) => {
    const [{ fromBlock = 0, toBlock = 0 } = {}] = params as [
      { fromBlock?: string; toBlock?: string }?,
    ]
    if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 2) {
      throw new FakeNodeError(-32602, 'block range is limited to 2 blocks')
    }
    return result
  }
  node.rpcRequests.length = 0
  expect((await sample(80)).pairsPerTransfer).toEqual(measured.pairsPerTransfer)
  const searches = node.rpcRequests.filter(({ method }) => method === 'eth_getLogs')
  expect(searches.length).toBeLessThan(100)

  // A node that does not search logs.
  node.transformResult = (method, _, result) => (method === 'eth_getLogs' ? undefined : result)
  const unknown = estimateChain(1, await sample(20))
  expect(unknown.measured.pairsPerTransfer).toBeUndefined()
  const text = formatEstimate(unknown)
  expect(text).toMatch(/Measured, in 20 sampled blocks[^]*pairs per transfer +not measured/)
  expect(text).toMatch(/Modelled[^]*database +[\d.]+ kB[^]*Assumed[^]*0\.3 pairs per transfer/)
})

it('rejects a chain whose nodes have not reached its first block', async () => {
  const { node, config } = await startChain()
  const sampling = sampleChain({
    chain: { ...config, startBlock: 1000 },
    count: 10,
    onProgress: () => {},
    node: new ChainNode([node.url]),
    signal: new AbortController().signal,
  })
  await expect(sampling).rejects.toThrow(
    'Chain 1 begins at block 1000, and its nodes are at block 159: correct startBlock',
  )
})
