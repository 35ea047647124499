// Two chains under load: one is repaired, loses its node, and replaces final blocks. The other must not notice, and each
// response with the broken chain must be right, marked or rejected.
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createTestMedia } from '../../test/createTestMedia.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startAnvil } from '../../test/startAnvil.ts'
import { startNodeProxy } from '../../test/startNodeProxy.ts'
import { startTestService, type TestService } from '../../test/startTestService.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { runChains } from '../cli/runChains.ts'
import type { ChainConfig } from '../config/Config.ts'
import { topics } from '../indexing/decode/topics.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { ChainWatches } from '../store/ChainWatches.ts'
import type { Store } from '../store/Store.ts'
import { Stores } from '../store/Stores.ts'
import { runChainCommand } from './runChainCommand.ts'

const token = testAddress(0x700)
/** Each call emits `Transfer(0, caller, 1)`. */
const mintingCode = `0x60016000523360007f${topics.transfer.slice(2)}60206000a300`
const polling = { timeout: 60_000, interval: 50 }

/** A chain on anvil whose only token is minted by transactions, behind a proxy that can fail. */
async function startChain(id: number, overrides: Partial<ChainConfig> = {}) {
  const anvil = await startAnvil('--chain-id', String(id), '--accounts', '1')
  const [minter = ''] = await anvil.call<string[]>('eth_accounts')
  await anvil.call('anvil_setCode', token, mintingCode)
  const proxy = await startNodeProxy(anvil.url)
  onTestFinished(proxy.close)
  /** Every amount that the token had at a block, on any fork. */
  const truth = new Map<number, Set<number>>()
  let minted = 0
  const head = async () => Number(await anvil.call<string>('eth_blockNumber'))
  /** Before the block exists, so that no response precedes it. */
  const record = (block: number) => truth.set(block, (truth.get(block) ?? new Set()).add(minted))
  const mint = async (count: number) => {
    for (let each = 0; each < count; each++) {
      const block = (await head()) + 1
      minted++
      record(block)
      await anvil.call('eth_sendTransaction', { from: minter, to: token })
      while ((await head()) < block) {
        await delay(5)
      }
    }
  }
  await mint(10)
  return {
    id,
    minter,
    proxy,
    truth,
    mint,
    head,
    minted: () => minted,
    snapshot: async () => ({ name: await anvil.call<string>('evm_snapshot'), minted }),
    async revert(snapshot: { readonly name: string; readonly minted: number }) {
      await anvil.call('evm_revert', snapshot.name)
      minted = snapshot.minted
      // Another block of this number.
      await anvil.call('evm_increaseTime', 60)
      record((await head()) + 1)
      await anvil.call('evm_mine')
    },
    config: testChainConfig(id, {
      rpcUrls: [proxy.url],
      finalityDepth: 4,
      undoDepth: 20,
      pollIntervalMs: 50,
      audit: { callsPerMinute: 0 },
      ...overrides,
    }),
  }
}

interface Body {
  readonly code?: string
  readonly balances?: readonly { chain_id: number; amount: string }[]
  readonly warnings?: readonly { code: string; chain_id: number }[]
}

/** Indexes the chains in this process, until the test ends. */
function runIndexer(store: Store, chains: readonly ChainConfig[]): void {
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  const stores = new Stores(store)
  const watch = new ChainWatches(stores, logger)
  const stop = new AbortController()
  const nodes = new Map(chains.map(({ id, rpcUrls }) => [id, new ChainNode(rpcUrls)]))
  const media = createTestMedia(chains)
  const options = { config: { chains }, stores, nodes, watch, media, logger, onReady: () => {} }
  const running = runChains(options, stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await running
    await watch.close()
  })
}

type Chain = Awaited<ReturnType<typeof startChain>>

/** Sends requests until it is stopped, and verifies each response. */
function startLoad(service: TestService, healthy: Chain, broken: Chain) {
  const counts = { healthy: 0, both: 0, marked: 0, missing: 0 }
  const problems: unknown[] = []
  const stop = new AbortController()
  const send = async (query: string) => {
    const response = await fetch(
      `${service.url}/v1/evm/balances/${healthy.minter}?filters=erc20${query}`,
      {
        headers: { 'X-Service-Api-Key': service.secret },
      },
    )
    const blocks = response.headers.get('x-block-numbers')?.split(',') ?? []
    const numbers = new Map(blocks.map((each) => each.split('=').map(Number) as [number, number]))
    return { status: response.status, numbers, ...((await response.json()) as Body) }
  }
  type Result = Awaited<ReturnType<typeof send>>
  const isRight = ({ numbers, balances }: Result, { id, truth }: Chain) => {
    const amount = Number(balances?.find(({ chain_id }) => chain_id === id)?.amount ?? 0)
    return truth.get(numbers.get(id) ?? -1)?.has(amount) === true
  }
  const warningsOf = ({ warnings = [] }: Result, { id }: Chain) =>
    warnings.filter(({ chain_id }) => chain_id === id).map(({ code }) => code)
  const run = async () => {
    while (!stop.signal.aborted) {
      const alone = await send(`&chain_ids=${healthy.id}`)
      counts.healthy++
      if (alone.status !== 200 || alone.warnings || !isRight(alone, healthy)) {
        problems.push(alone)
      }
      const both = await send('')
      counts.both++
      const codes = warningsOf(both, broken)
      const isMissing = codes.some((code) => code.startsWith('CHAIN_'))
      counts.missing += isMissing ? 1 : 0
      counts.marked += codes.includes('STALE_CHAIN') ? 1 : 0
      if (
        both.status !== 200 ||
        warningsOf(both, healthy).length > 0 ||
        !isRight(both, healthy) ||
        (isMissing ? both.numbers.has(broken.id) : !isRight(both, broken))
      ) {
        problems.push(both)
      }
      await delay(20)
    }
  }
  const running = run()
  const end = async () => {
    stop.abort()
    await running
  }
  onTestFinished(end)
  return { counts, problems, end }
}

describeEachStore('a drill', (openTestStore) => {
  it(
    'repairs one of two chains under load without a wrong response',
    { timeout: 180_000 },
    async () => {
      const store = await openTestStore()
      const staleness = { warnAfterSeconds: 3, rejectAfterSeconds: 6 }
      const healthy = await startChain(31_101)
      const broken = await startChain(31_102, { staleness })
      const chains = [healthy.config, broken.config]
      runIndexer(store, chains)
      const service = await startTestService(store, chains)
      const read = async (chain: Chain) => {
        const path = `/v1/evm/balances/${chain.minter}?filters=erc20&chain_ids=${chain.id}`
        const response = await service.fetch(path)
        const { balances, code, warnings } = (await response.json()) as Body
        return code ?? warnings?.[0]?.code ?? Number(balances?.[0]?.amount)
      }
      const catchesUp = async (chain: Chain) => {
        await expect.poll(() => read(chain), polling).toBe(chain.minted())
      }
      await Promise.all([catchesUp(healthy), catchesUp(broken)])
      const load = startLoad(service, healthy, broken)
      const run = async (phase: () => Promise<void>) => {
        const before = load.counts.healthy
        await phase()
        await healthy.mint(1)
        await catchesUp(healthy)
        expect(load.problems.slice(0, 2)).toEqual([])
        expect(load.counts.healthy).toBeGreaterThan(before)
      }

      // A reset deletes and indexes the chain again.
      await run(async () => {
        const progress: string[] = []
        const reset = { type: 'chain-reset', chainId: broken.id } as const
        expect(await runChainCommand(store, reset, (text) => progress.push(text))).toContain(
          'reset',
        )
        expect(progress.join()).toContain('Deleting')
        await catchesUp(broken)
      })

      // Without its node, the chain is stale, and then rejected.
      await run(async () => {
        const before = await read(broken)
        broken.proxy.transformResult = () => {
          throw new Error('The node is away')
        }
        await expect.poll(() => read(broken), polling).toBe('STALE_CHAIN')
        await expect.poll(() => read(broken), polling).toBe('CHAIN_STALE')
        expect((await fetch(`${service.url}/ready`)).status).toBe(200)
        expect((await fetch(`${service.url}/ready?chain_ids=${broken.id}`)).status).toBe(503)
        broken.proxy.transformResult = (_method, _params, result) => result
        await expect.poll(() => read(broken), polling).toBe(before)
      })

      // Final blocks are replaced: the chain stops, and its message names the command that repairs it.
      await run(async () => {
        const snapshot = await broken.snapshot()
        const ancestor = await broken.head()
        await broken.mint(12)
        await catchesUp(broken)
        await broken.revert(snapshot)
        await broken.mint(14)
        await expect.poll(() => read(broken), polling).toBe('CHAIN_STOPPED')
        const status = await runChainCommand(store, {
          type: 'chain-status',
          chainId: broken.id,
          configured: [],
        })
        expect(status).toContain(`headwater chain rewind --chain ${broken.id} --to ${ancestor}`)
        const rewind = { type: 'chain-rewind', chainId: broken.id, to: ancestor } as const
        expect(await runChainCommand(store, rewind)).toContain(`to block ${ancestor}`)
        await catchesUp(broken)
      })

      // A detached chain is not indexed until it is reset.
      await run(async () => {
        await runChainCommand(store, { type: 'chain-detach', chainId: broken.id })
        await expect.poll(() => read(broken), polling).toBe('CHAIN_STOPPED')
        const rewind = { type: 'chain-rewind', chainId: broken.id, to: 1 } as const
        await expect(runChainCommand(store, rewind)).rejects.toThrow('is detached')
        await runChainCommand(store, { type: 'chain-reset', chainId: broken.id })
        await catchesUp(broken)
      })
      await load.end()
      expect(load.problems).toEqual([])
      expect(Math.min(...Object.values(load.counts))).toBeGreaterThan(0)
      const { id } = broken
      const invalid = { type: 'chain-rewind', chainId: id, to: 1_000_000 } as const
      await expect(runChainCommand(store, invalid)).rejects.toThrow('is indexed up to block')
      await expect(
        runChainCommand(store, { type: 'chain-rewind', chainId: id, to: 0 }),
      ).rejects.toThrow('at the lowest; use chain reset')
      await expect(runChainCommand(store, { type: 'chain-reset', chainId: 5 })).rejects.toThrow(
        'Chain 5 is not in the store',
      )
    },
  )
})
