import {
  type DevnetChain,
  devnetOdd,
  type SeededRandom,
  seededRandom,
  startChain,
} from '@headwater/devnet'
import type { WorldChain } from './expectChainTruth.ts'
import { Recount } from './Recount.ts'
import { startFaultyNode } from './startFaultyNode.ts'
import { writeTransactions } from './writeTransactions.ts'

/** A step of a world. */
export type Step =
  { readonly kind: 'random' | 'traffic' | 'empty'; readonly blocks: number } | Reorg

/** Replaces the latest blocks by at least as many others. */
interface Reorg {
  readonly kind: 'reorg'
  readonly depth: number
  readonly by: number
  /** Whether the new blocks are empty. */
  readonly empty: boolean
}

/** Kinds of edge case tokens whose balances follow from their transfers. */
const plainKinds: ReadonlySet<string> = new Set(['bytes32', 'plain'])

/** A chain whose transactions and reorgs follow from a seed, and a node with random faults. */
export class RandomWorld {
  readonly chain: DevnetChain
  readonly random: SeededRandom
  readonly node: Awaited<ReturnType<typeof startFaultyNode>>
  readonly recount: Recount
  readonly truth: WorldChain
  /** The last block of the past, which reorgs do not replace. */
  readonly #pastEnd: number

  private constructor(
    chain: DevnetChain,
    random: SeededRandom,
    node: Awaited<ReturnType<typeof startFaultyNode>>,
    pastEnd: number,
  ) {
    const { chainId, rpc, config, marketplace, oddTokens } = chain
    this.chain = chain
    this.random = random
    this.node = node
    this.#pastEnd = pastEnd
    this.truth = {
      chainId,
      rpc,
      marketplace,
      wrappedNative: config.wrappedNative,
      uniswapV2Factory: config.uniswapV2Factories[0] ?? '',
      uniswapV3Factory: config.uniswapV3Factories[0] ?? '',
      oddTokens: new Set(
        oddTokens.filter(({ kind }) => !plainKinds.has(kind)).map(({ address }) => address),
      ),
    }
    this.recount = new Recount(this.truth)
  }

  static async start(seed: string): Promise<RandomWorld> {
    const random = seededRandom(seed)
    const past = { scenario: devnetOdd, seed, days: 0.1, until: new Date('2026-01-01T00:00:00Z') }
    const chain = await startChain({ ...past, live: false, presentSeed: seed })
    const node = await startFaultyNode(chain.rpcUrl, seededRandom(`${seed}/faults`))
    const world = new RandomWorld(
      chain,
      random,
      node,
      Number(await chain.rpc.call('eth_blockNumber')),
    )
    // Blocks that the first reorg can replace.
    await world.apply({ kind: 'traffic', blocks: 6 })
    return world
  }

  /** The latest block. */
  async head(): Promise<{ number: number; hash: string }> {
    const head = await this.chain.rpc.call<{ number: string; hash: string }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    )
    return { number: Number(head.number), hash: head.hash }
  }

  /** Draws the next step. */
  async drawStep(): Promise<Step> {
    const { random } = this
    const draw = random.integer(0, 99)
    if (draw < 30) {
      return { kind: 'random', blocks: random.integer(1, 5) }
    }
    if (draw < 45) {
      return { kind: 'traffic', blocks: random.integer(1, 6) }
    }
    if (draw < 52) {
      return { kind: 'empty', blocks: random.integer(1, 12) }
    }
    const most = (await this.head()).number - this.#pastEnd
    const depth = Math.min(random.pick([1, 1, 2, 3, 5, 8, 13, 20]), Math.max(1, most))
    return { kind: 'reorg', depth, by: depth + random.integer(0, 3), empty: random.chance(30) }
  }

  /** Mines the blocks of a step. */
  async apply(step: Step): Promise<void> {
    const { chain } = this
    if (step.kind === 'reorg') {
      await this.#reorg(step)
    } else if (step.kind === 'empty') {
      await chain.mine(step.blocks)
    } else if (step.kind === 'traffic') {
      await this.#mineTraffic(step.blocks)
    } else {
      await this.#mineRandom(step.blocks)
    }
  }

  async stop(): Promise<void> {
    await this.node.close()
    await this.chain.kill()
  }

  async #reorg({ depth, by, empty }: Reorg): Promise<void> {
    const { chain } = this
    await chain.rollBack(depth)
    // With another timestamp than the replaced block: an empty block would have the same hash otherwise.
    await chain.mine(1, 2)
    if (empty) {
      await chain.mine(by - 1)
    } else {
      await this.#mineRandom(by - 1)
    }
  }

  /** Mines blocks with the traffic of the scenario and an NFT sale between two of them. */
  async #mineTraffic(blocks: number): Promise<void> {
    const { chain, random } = this
    for (let block = 0; block < blocks; block++) {
      await chain.mineTraffic()
    }
    const counted = await this.recount.upTo((await this.head()).number)
    const collection = chain.collection('BUOY')
    const collectors = chain.accounts.filter(
      ({ role }) => role === 'collector' || role === 'trader',
    )
    const owned = [...counted.items]
      .map(([key, { amount }]) => [...key.split(' '), amount] as [string, string, string, bigint])
      .filter(([, contract, , amount]) => contract === collection.address && amount > 0n)
      .flatMap(([owner, , id]) => {
        const from = collectors.find(({ address }) => address === owner)?.address
        return from ? [{ from, tokenId: BigInt(id) }] : []
      })
    if (owned.length === 0 || random.chance(30)) {
      return
    }
    const { from, tokenId } = random.pick(owned)
    const to = random.pick(collectors).address
    const price = BigInt(random.integer(1, 2_000_000_000)) * 10n ** 8n
    if (to !== from) {
      await chain.sellCollectible({ collection, tokenId, from, to, price })
    }
  }

  /** Mines blocks with random transactions, some of them empty. */
  async #mineRandom(blocks: number): Promise<void> {
    const { chain, random } = this
    const counted = await this.recount.upTo((await this.head()).number)
    for (let block = 0; block < blocks; block++) {
      const actions = random.chance(20) ? 0 : random.integer(1, 14)
      const transactions = Array.from({ length: actions }, () =>
        writeTransactions({ chain, random, counted }),
      )
      await chain.transact(transactions.flat())
    }
  }
}
