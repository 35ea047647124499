import { EventEmitter, once } from 'node:events'
import fc from 'fast-check'
import { numberToHex } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { buildUrl, type ChangesEvent, operations } from '@headwater/contract'
import { arbitraryBlocks, arbitraryWorld } from '../../../test/arbitraryBlocks.ts'
import { compareWithLog, getVersion } from '../../../test/compareWithLog.ts'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { FakeChain } from '../../../test/FakeChain.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { openEvents, type ReceivedEvent } from '../../../test/readEvents.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { writeTokenMetadata } from '../../metadata/writeTokenMetadata.ts'
import { loadChanges } from '../../store/changes.ts'
import type { Store } from '../../store/Store.ts'

const { contracts, weth, factory, marketplace, holders } = arbitraryWorld
const chainId = 7
const [usd] = contracts.slice(1) as [`0x${string}`]

/** More seeds and steps find more: `CHANGES_SEED=2 CHANGES_STEPS=100`. */
const stepCount = Number(process.env['CHANGES_STEPS'] ?? 12)
const seed = Number(process.env['CHANGES_SEED'] ?? 1)

/** A step of a chain: blocks that extend it or replace its latest, or metadata of a token. */
const arbitrarySteps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ blocks: arbitraryBlocks(1, 3), depth: fc.constant(0) }) },
    {
      weight: 3,
      arbitrary: fc.record({ blocks: arbitraryBlocks(2, 3), depth: fc.constantFrom(1, 2) }),
    },
    fc.record({ contract: fc.constantFrom(...contracts), decimals: fc.constantFrom(0, 6, 18) }),
  ),
  { minLength: stepCount, maxLength: stepCount },
)

/** Clients with different subjects, which are cut after these numbers of events, and reconnect some steps later. */
const arbitraryClients = fc.array(
  fc.record({
    wallets: fc.subarray([...holders.slice(1)], { minLength: 1 }),
    holders: fc.subarray([...contracts]),
    cuts: fc.infiniteStream(fc.record({ after: fc.nat(3), pause: fc.nat(2), service: fc.nat(1) })),
  }),
  { minLength: 4, maxLength: 4 },
)

/** Two services on one store, with an indexer and its node. */
async function start(store: Store) {
  const chain = new FakeChain()
  chain.mine([])
  const node = await startFakeNode(chain, chainId)
  const world: { nativeBalance: (block: number) => bigint } = { nativeBalance: () => 5n }
  node.transformResult = (method, params, result) => {
    const [, block] = params as [string, { blockHash?: string } | string]
    const hash = typeof block === 'object' ? block.blockHash : block
    const { number } = chain.blocks.find((each) => each.hash === hash) ?? chain.head
    return method === 'eth_getBalance'
      ? numberToHex(world.nativeBalance(number))
      : method === 'eth_call'
        ? '0x'
        : result
  }
  const config = testChainConfig(chainId, {
    rpcUrls: [node.url],
    wrappedNative: weth,
    stablecoins: [usd],
    uniswapV2Factories: [factory],
    uniswapV3Factories: [factory],
    marketplaces: [marketplace],
    pollIntervalMs: 10,
    verify: 'basic',
  })
  const indexer = indexTestChain(store, config)
  onTestFinished(async () => {
    await indexer.stop()
    await node.close()
  })
  await indexer.reaches(chain.head.hash)
  const services = [
    await startTestService(store, [config]),
    await startTestService(store, [config]),
  ]
  return { chain, world, indexer, services: services as [TestService, TestService] }
}

const subjects = (addresses: readonly string[]) =>
  addresses.map((address) => `${chainId}:${address}`).join()

describeEachStore('changes', (openTestStore) => {
  it('are delivered once each, through cuts, reconnects to other processes and reorgs', async () => {
    const [steps = []] = fc.sample(arbitrarySteps, { numRuns: 1, seed })
    const [drawn = []] = fc.sample(arbitraryClients, { numRuns: 1, seed })
    const store = await openTestStore()
    const { chain, indexer, services } = await start(store)
    const loadVersion = async () => {
      const row = await store.db.selectFrom('chains').select('change_version').executeTakeFirst()
      return row?.change_version ?? 0
    }
    const stepped = { count: 0, events: new EventEmitter() }
    let isEnd = false
    let lastVersion = Infinity
    const clients = drawn.map(async ({ wallets, holders: tokens, cuts }) => {
      const lists = [`wallets=${subjects(wallets)}`, `tokens=${subjects(contracts)}`]
      const query = [...lists, ...(tokens.length > 0 ? [`holders=${subjects(tokens)}`] : [])]
      const received: ReceivedEvent[] = []
      const versionOf = (id: string | undefined) => getVersion(id, chainId)
      for (const { after, pause, service } of cuts) {
        const resumeAt = stepped.count + pause
        while (stepped.count < resumeAt && !isEnd) {
          await once(stepped.events, 'step')
        }
        const events = await openEvents(services[service]!, query.join('&'), received.at(-1)?.id)
        for (let count = 0; count <= after || isEnd; count++) {
          const next = await events.next()
          if (!next) {
            break
          }
          received.push(next)
          if (versionOf(next.id) >= lastVersion) {
            events.cut()
            return { chainId, wallets, holders: tokens, tokens: contracts, received }
          }
        }
        events.cut()
      }
      throw new Error('The stream of cuts ended')
    })
    for (const step of steps) {
      stepped.count++
      stepped.events.emit('step')
      if ('contract' in step) {
        const { contract, decimals } = step
        const texts = { name: `of ${decimals}`, symbol: 'T', decimals }
        const behaviour = { supports721: false, supports1155: false, hasOwners: false, events: 1 }
        const token = { token: contract, ...texts, ...behaviour, firstHash: null }
        await writeTokenMetadata(store.db, chainId, [token], [])
        continue
      }
      if (step.depth === 0) {
        step.blocks.forEach((events) => chain.mine(events))
      } else {
        chain.reorg(Math.min(step.depth, chain.blocks.length - 2), step.blocks)
      }
      await indexer.reaches(chain.head.hash)
    }
    // The last change, so that each client receives an event of it.
    chain.mine(
      holders
        .slice(1)
        .map((to) => ({ type: 'transfer', token: usd, from: holders[0]!, to, amount: 1n })),
    )
    await indexer.reaches(chain.head.hash)
    lastVersion = await loadVersion()
    isEnd = true
    stepped.events.emit('step')
    const log = await loadChanges(store.db, chainId, { after: 0 })
    const counts = (await Promise.all(clients)).map((client) => compareWithLog(log, client))
    const sum = (kind: 'changes' | 'reorgs' | 'merged') =>
      counts.reduce((total, count) => total + count[kind], 0)
    const changes = sum('changes')
    const reorgs = sum('reorgs')
    const merged = sum('merged')
    expect(changes).toBeGreaterThan(drawn.length)
    expect(reorgs).toBeGreaterThan(0)
    expect(merged).toBeGreaterThan(0)
  }, 120_000)

  it('include native balances, reorgs and missed blocks, and end without a trace', async () => {
    const store = await openTestStore()
    const { chain, indexer, world, services } = await start(store)
    const [service] = services
    const [wallet, other] = holders.slice(1) as [`0x${string}`, `0x${string}`]
    const mine = async (events: Parameters<FakeChain['mine']>[0] = []) => {
      chain.mine(events)
      await indexer.reaches(chain.head.hash)
      return chain.head.number
    }
    const query = `wallets=${subjects([wallet])}`
    const first = await openEvents(service, query)
    expect(first.response.headers.get('content-type')).toBe('text/event-stream')
    expect(first.response.headers.get('x-compute-units-cost')).toBe('0')
    const opened = await first.next()
    expect(opened?.event).toEqual({
      type: 'heartbeat',
      chains: [{ chain_id: chainId, block_number: chain.head.number, block_hash: chain.head.hash }],
    })
    const first6 = chain.head.number + 1
    world.nativeBalance = (block) => (block < first6 ? 5n : block < first6 + 2 ? 6n : 7n)
    const changedAt = await mine()
    const changed = await first.next()
    expect(changed?.event).toEqual({
      type: 'change',
      chain_id: chainId,
      block_number: changedAt,
      block_hash: chain.head.hash,
      wallets: [wallet],
    })
    // A transfer of another wallet, and one of this one, of which the native balance is part.
    await mine([{ type: 'transfer', token: usd, from: holders[0], to: other, amount: 1n }])
    const sentAt = await mine([
      { type: 'transfer', token: usd, from: holders[0], to: wallet, amount: 1n },
    ])
    expect((await first.next())?.event).toMatchObject({ block_number: sentAt, wallets: [wallet] })
    chain.reorg(1, [[], []])
    await indexer.reaches(chain.head.hash)
    const reorged = await first.next()
    expect(reorged?.event).toMatchObject({
      type: 'reorg',
      ancestor_block_number: sentAt - 1,
      wallets: [wallet],
    })
    first.cut()
    world.nativeBalance = () => 8n
    await mine()
    const second = await openEvents(services[1], query, reorged?.id)
    expect((await second.next())?.event.type).toBe('heartbeat')
    expect((await second.next())?.event).toMatchObject({ type: 'change', wallets: [wallet] })
    second.cut()
    // Malformed, and later than all that is kept.
    for (const id of ['x', `${chainId}:999999:0:`]) {
      const reset = await openEvents(service, query, id)
      await reset.next()
      expect((await reset.next())?.event).toMatchObject({ type: 'reset', chain_id: chainId })
      reset.cut()
    }
    const metrics = async () => (await service.fetch('/metrics')).text()
    await expect.poll(metrics).toContain('headwater_subscriptions 0')
    expect(await metrics()).toContain('operation="changes",status="200"')
    expect(service.log()).not.toMatch(/"level":[56]0/)
  })

  it('are one response with `Prefer: wait`, and may contain what they changed', async () => {
    const store = await openTestStore()
    const { chain, indexer, services } = await start(store)
    const [service] = services
    const [, wallet = holders[0]] = holders
    const poll = async (query: string, headers: Record<string, string>) => {
      const response = await service.fetch(`/v1/evm/changes?${query}`, { headers })
      return {
        response,
        body: (await response.json()) as {
          last_event_id: string
          chains: object[]
          events: ChangesEvent[]
        },
      }
    }
    const query = `wallets=${subjects([wallet])}&holders=${subjects([usd])}&include=responses`
    const { body: opened } = await poll(query, { Prefer: 'wait=30' })
    expect(opened).toMatchObject({ chains: [{ chain_id: chainId }], events: [] })
    const waiting = poll(query, { Prefer: 'wait=30', 'Last-Event-ID': opened.last_event_id })
    chain.mine([{ type: 'transfer', token: usd, from: holders[0], to: wallet, amount: 5n }])
    await indexer.reaches(chain.head.hash)
    const { response, body } = await waiting
    expect(response.headers.get('preference-applied')).toBe('wait=30')
    expect(body.events).toMatchObject([
      { type: 'change', wallets: [wallet], holders: [usd], block_number: chain.head.number },
    ])
    const path = buildUrl(operations.balances, { address: wallet, chainIds: [chainId] })
    const direct = await service.fetch(path)
    const delivered = body.events[0]?.responses?.find((each) => each.path === path)
    expect(delivered).toMatchObject({ etag: direct.headers.get('etag'), units: 1 })
    expect(delivered?.body).toMatchObject({ wallet_address: wallet })
    expect(body.events[0]?.responses).toHaveLength(2)
    const headers = { Prefer: 'wait=0', 'Last-Event-ID': body.last_event_id }
    expect((await poll(query, headers)).body.events).toEqual([])
    // One unit each for two balances and one page of holders.
    const units = (await (await service.fetch('/metrics')).text()).match(
      /headwater_compute_units_total\{operation="(?:balances|tokenHolders)"\} \d+/g,
    )
    expect(units).toHaveLength(2)
  })

  it('reject what cannot be followed', async () => {
    const service = await startTestService(await openTestStore(), [testChainConfig(chainId)])
    const request = async (query: string) => {
      const response = await service.fetch(`/v1/evm/changes?${query}`)
      const { code, param } = (await response.json()) as { code: string; param: string }
      return [response.status, code, param]
    }
    expect(await request('')).toEqual([400, 'INVALID_PARAMETER', 'wallets'])
    expect(await request('wallets=0x12')).toEqual([400, 'INVALID_PARAMETER', 'wallets'])
    expect(await request('tokens=7:native&tokens=7:native')).toEqual([
      ...[400, 'REPEATED_PARAMETER', 'tokens'],
    ])
    expect(await request('tokens=8:native')).toEqual([404, 'CHAIN_NOT_SUPPORTED', 'tokens'])
    const head = await service.fetch('/v1/evm/changes?tokens=7:native', { method: 'HEAD' })
    expect(head.status).toBe(200)
    // The chain is not indexed: none is followed.
    const events = await openEvents(service, 'tokens=7:native')
    expect((await events.next())?.event).toEqual({ type: 'heartbeat', chains: [] })
    const closing = service.close()
    expect(await events.next()).toBeUndefined()
    await closing
  })
})
