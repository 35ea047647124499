import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import { encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import type { BalancesResponse } from '@headwater/contract'
import { runChain } from '../../src/cli/runChain.ts'
import type { ChainConfig } from '../../src/config/Config.ts'
import { loadCursor } from '../../src/indexing/follow/Cursor.ts'
import type { Media } from '../../src/media/createMedia.ts'
import { ChainNode } from '../../src/rpc/ChainNode.ts'
import type { Store } from '../../src/store/Store.ts'
import { createTestMedia } from '../createTestMedia.ts'
import { openSharedStore } from '../describeEachStore.ts'
import { startTestService, type TestService } from '../startTestService.ts'
import { testChainConfig } from '../testChainConfig.ts'
import { RandomWorld } from './RandomWorld.ts'
import { nodeWorldSeeds } from './worldSeeds.ts'

const steps = 8
/** Faults that delay a response. A node that omits logs hides tokens, which no client can detect. */
const faults = ['drop', 'busy', 'stale', 'cut', 'missing', 'reject'] as const

let world: RandomWorld | undefined
afterEach(async () => {
  await world?.stop()
  world = undefined
})

/** A client that compares each response with the contracts at its block, and with what it has seen before. */
class WorldClient {
  /** Whether the index may answer. It has a token whose balances change without transfers wrong until its audit finds that. */
  isIndexed = false
  readonly #world: RandomWorld
  readonly #service: TestService
  /** The tokens of each wallet in earlier responses. */
  readonly #seen = new Map<string, Set<string>>()

  constructor(of: RandomWorld, service: TestService) {
    this.#world = of
    this.#service = service
  }

  /**
   * Requests the balances of a wallet.
   *
   * @returns the block, and whether nothing is unknown; undefined while the chain is unavailable.
   */
  async request(wallet: string) {
    const { chain } = this.#world
    const path = `/v1/evm/balances/${wallet}?chain_ids=${chain.chainId}&limit=1000`
    const response = await this.#service.fetch(path)
    const body = (await response.json()) as BalancesResponse
    if (response.status === 503) {
      return undefined
    }
    expect(response.status, JSON.stringify(body)).toBe(200)
    const block = Number(response.headers.get('x-block-numbers')?.split('=')[1])
    const listed = new Map(body.balances.map(({ address, amount }) => [address, BigInt(amount)]))
    expect(listed.size, 'each token is listed once').toBe(body.balances.length)
    const amounts = await this.#readAmounts(wallet, [...listed.keys()], block)
    const { oddTokens } = this.#world.truth
    const mayDiffer = (token: string) => this.isIndexed && oddTokens.has(token)
    const expected = [...amounts].filter(([token]) => !mayDiffer(token))
    expect([...listed].filter(([token]) => !mayDiffer(token))).toEqual(expected)
    const isRight = isDeepStrictEqual(listed, amounts)
    const codes = new Set((body.warnings ?? []).map(({ code }) => code))
    const isComplete = isRight && !codes.has('PARTIAL_HISTORY') && !codes.has('BALANCES_NOT_READ')
    const held = await this.#countHeld(wallet, block)
    const seen = this.#seen.get(wallet) ?? new Set()
    if (!codes.has('BALANCES_NOT_READ')) {
      const missing = [...held.keys()].filter((token) => !listed.has(token))
      expect(isComplete ? missing : missing.filter((token) => seen.has(token))).toEqual([])
    }
    this.#seen.set(wallet, new Set([...seen, ...listed.keys()]))
    return { block, isComplete }
  }

  /** Requests until a response of the head is complete and right. */
  async requestHead(wallet: string): Promise<void> {
    const head = await this.#world.head()
    for (;;) {
      const response = await this.request(wallet)
      if (response?.isComplete && response.block === head.number) {
        return
      }
      await delay(20)
    }
  }

  /** What the node returns for assets at a block. */
  async #readAmounts(wallet: string, assets: readonly string[], block: number) {
    const at = numberToHex(block)
    const args = [wallet as Hex] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
    const words = await this.#world.chain.rpc.batch(
      assets.map((asset) =>
        asset === 'native'
          ? ['eth_getBalance', [wallet, at]]
          : ['eth_call', [{ to: asset, data }, at]],
      ),
    )
    return new Map(assets.map((asset, index) => [asset, BigInt(words[index] as Hex)]))
  }

  /** The tokens that a wallet holds according to a recount, without those whose balances do not follow from transfers. */
  async #countHeld(wallet: string, block: number): Promise<Map<string, bigint>> {
    const { recount, truth } = this.#world
    const counted = await recount.upTo(block)
    return new Map(
      [...counted.balances]
        .map(([key, { amount }]) => [...key.split(' '), amount] as [string, string, string, bigint])
        .filter(([holder, token, standard, amount]) => {
          return (
            holder === wallet && standard === '20' && amount > 0n && !truth.oddTokens.has(token)
          )
        })
        .map(([, token, , amount]) => [token, amount]),
    )
  }
}

/** Lists the tokens without pools, so that the index does not take them for spam, which it does not read. */
function writeTokenList({ chain }: RandomWorld): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-world-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'list.json')
  const tokens = chain.oddTokens.map(({ address, name, symbol, decimals }) => {
    return { chainId: chain.chainId, address, name, symbol, decimals }
  })
  writeFileSync(file, JSON.stringify({ name: 'World', tokens }))
  return file
}

/** Indexes a chain as the service does, with its first audit, until it is stopped. */
function startIndexing(of: RandomWorld, chain: ChainConfig, store: Store, media: Media) {
  const stop = new AbortController()
  const synced = Promise.withResolvers<void>()
  const node = new ChainNode(chain.rpcUrls, { verify: chain.verify, retryDelayMs: 10 })
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  const running = runChain(
    {
      chain,
      store,
      node,
      media,
      logger,
      onSynced: synced.resolve,
      onFailure: () => {},
      onProgress: () => {},
    },
    stop.signal,
  )
  running.catch(synced.reject)
  return {
    synced: synced.promise,
    /** Waits until the head is indexed. Responses name their block by its number, which a reorg does not change. */
    async reachesHead() {
      const { hash } = await of.head()
      while ((await loadCursor(store.db, chain.id))?.block?.hash !== hash) {
        await delay(20)
      }
    },
    async stop() {
      stop.abort()
      await running
    },
  }
}

it.each(
  nodeWorldSeeds.flatMap((seed) => [[seed, 'node'] as const, [seed, 'node-then-index'] as const]),
)(
  'returns what the node has at the block of each response, WORLD_SEED=%s, history: %s',
  async (seed, history) => {
    world = await RandomWorld.start(seed)
    const { chain, node, random } = world
    node.kinds = faults
    const config = testChainConfig(chain.chainId, {
      ...chain.config,
      history,
      rpcUrls: [node.url],
      pollIntervalMs: 20,
      finalityDepth: 30,
      // The first audit precedes the handover.
      audit: { callsPerMinute: 100_000 },
    })
    const store = await openSharedStore('pglite')
    const media = createTestMedia([config], { tokenLists: [writeTokenList(world)] })
    const service = await startTestService(store, [config], { media })
    const client = new WorldClient(world, service)
    const wallets = Array.from({ length: 4 }, () => random.pick(chain.accounts).address)
    let indexing: ReturnType<typeof startIndexing> | undefined
    try {
      for (let number = 0; number < steps; number++) {
        const step = await world.drawStep()
        try {
          await world.apply(step)
          // A head of the replaced blocks is in use until the next one is requested.
          await delay(2 * config.pollIntervalMs)
          await indexing?.reachesHead()
          node.percent = random.pick([0, 15, 30])
          for (const wallet of wallets) {
            await client.request(wallet)
          }
          node.percent = 0
          if (history === 'node-then-index' && number === Math.floor(steps / 2)) {
            indexing = startIndexing(world, config, store, media)
            client.isIndexed = true
            let isSynced = false
            void indexing.synced.then(() => (isSynced = true))
            // Requests during the handover.
            while (!isSynced) {
              await Promise.all(wallets.map((wallet) => client.request(wallet)))
            }
          }
          for (const wallet of wallets) {
            await client.requestHead(wallet)
          }
        } catch (cause) {
          const context = `WORLD_SEED=${seed}, step ${number}: ${JSON.stringify(step)}`
          throw new Error(context, { cause })
        }
      }
    } finally {
      await indexing?.stop()
    }
  },
)
