import { type Address, type Hex, hexToNumber, numberToHex } from 'viem'
import type { Anvil } from './anvil/Anvil.ts'
import type { ChainFolder } from './anvil/ChainFolder.ts'
import { JsonRpc } from './anvil/JsonRpc.ts'
import { rpcTransactions } from './anvil/rpcTransactions.ts'
import { exclusively } from './exclusively.ts'
import { LiveTraffic } from './LiveTraffic.ts'
import { readWorld } from './readWorld.ts'
import { repeat } from './repeat.ts'
import { accounts, type DevAccount } from './scenarios/accounts.ts'
import type { SeededRandom } from './seededRandom.ts'
import { type ServiceChainConfig, serviceChainConfig } from './serviceChainConfig.ts'
import {
  mintCollectible,
  mintItems,
  sellCollectible,
  transferCollectibles,
} from './world/collectibles.ts'
import { swapExact } from './world/concentrated.ts'
import type {
  DeployedCollection,
  DeployedConcentratedPool,
  DeployedOddToken,
  DeployedPool,
  DeployedToken,
  Deployment,
} from './world/Deployment.ts'
import type { PlannedTransaction } from './world/PlannedTransaction.ts'
import type { DeployedVenues } from './world/venues/DeployedVenues.ts'
import { World } from './world/World.ts'

/** A mined transaction. */
export interface MinedTransaction {
  readonly hash: Hex
  readonly blockNumber: number
}

/** The parts of a chain, which `startChain` creates. */
export interface DevnetChainParts {
  readonly anvil: Anvil
  readonly folder: ChainFolder
  readonly deployment: Deployment
  readonly random: SeededRandom
  readonly smallHolders: readonly Address[]
  /** Seconds. */
  readonly blockTime: number
  /** Called after the chain was stopped or killed. */
  readonly onStopped: () => Promise<void>
  /** Called with the error when the chain cannot continue. */
  readonly onFailure: (error: Error) => void
}

/** Seconds between two saved states. A crash loses at most these blocks, which are fewer than the finality depth. */
const secondsBetweenSaves = 30

/** The number of consecutive failed blocks after which a chain stops. */
const failuresToStop = 5

/** A running chain of the devnet with the actions of tests. Amounts are in smallest units. */
export class DevnetChain {
  readonly chainId: number
  readonly name: string
  readonly rpcUrl: string
  /** The chain's entry in the configuration of the service. */
  readonly config: ServiceChainConfig
  /** Wrapped native first. Includes tokens that are deployed late in the past. */
  readonly tokens: readonly DeployedToken[]
  readonly pools: readonly DeployedPool[]
  readonly router: Address
  /** The pools of Uniswap V3. */
  readonly concentratedPools: readonly DeployedConcentratedPool[]
  /** The pools of other venues, and their tokens, which `tokens` does not have; undefined without any. */
  readonly venues: DeployedVenues | undefined
  readonly concentratedRouter: Address
  readonly positionManager: Address
  /** A contract that imitates a pool and is not from a factory. */
  readonly fakePool: Address
  /** Seaport. */
  readonly marketplace: Address
  readonly collections: readonly DeployedCollection[]
  /** Tokens whose balances do not follow from their transfers, or with another deviation. */
  readonly oddTokens: readonly DeployedOddToken[]
  /** The accounts whose keys the node has. */
  readonly accounts: readonly DevAccount[] = accounts
  readonly rpc: JsonRpc
  /** The process id of anvil. */
  readonly processId: number

  readonly #parts: DevnetChainParts
  readonly #world: World
  readonly #traffic: LiveTraffic
  readonly #exclusively = exclusively()
  readonly #stopSaving: () => void
  #stopTraffic: (() => void) | undefined
  #isAutomining = false
  #ending: Promise<void> | undefined

  constructor(parts: DevnetChainParts) {
    const { scenario } = parts.deployment
    this.#parts = parts
    this.chainId = scenario.chainId
    this.name = scenario.name
    this.rpcUrl = parts.anvil.url
    this.rpc = new JsonRpc(parts.anvil.url)
    this.processId = parts.anvil.pid
    this.config = serviceChainConfig(parts.deployment, this.rpcUrl)
    this.tokens = parts.deployment.tokens
    this.pools = parts.deployment.pools
    this.router = parts.deployment.router
    this.concentratedPools = parts.deployment.concentrated.pools
    this.venues = parts.deployment.venues
    this.concentratedRouter = parts.deployment.concentrated.router
    this.positionManager = parts.deployment.concentrated.positions
    this.fakePool = parts.deployment.fakePool
    this.marketplace = parts.deployment.marketplace
    this.collections = parts.deployment.collections
    this.oddTokens = parts.deployment.oddTokens
    this.#world = new World(parts.deployment)
    const chain = {
      world: this.#world,
      readWorld: () => readWorld(this.rpc, this.#world),
      mine: async () => {
        await this.#sendAndMine(1)
      },
    }
    this.#traffic = new LiveTraffic(chain, parts.random, parts.smallHolders, parts.blockTime)
    this.#stopSaving = repeat(() => this.save(), {
      // Saving a long chain takes seconds, so it is saved less often.
      pause: (took) => Math.max(secondsBetweenSaves * 1_000, 20 * took),
      onError: (error) => {
        this.#fail(error)
      },
    })
    void parts.anvil.ended.then(() => {
      this.#fail(new Error('anvil exited'))
    })
  }

  /** The token with a symbol; throws a RangeError if there is none. */
  token(symbol: string): DeployedToken {
    const token = this.tokens.find((candidate) => candidate.symbol === symbol)
    if (!token) {
      throw new RangeError(`${this.name} has no token ${symbol}`)
    }
    return token
  }

  /** The collection with a symbol; throws a RangeError if there is none. */
  collection(symbol: string): DeployedCollection {
    const collection = this.collections.find((candidate) => candidate.symbol === symbol)
    if (!collection) {
      throw new RangeError(`${this.name} has no collection ${symbol}`)
    }
    return collection
  }

  /** Transfers tokens of an account in a new block. */
  transfer(options: {
    token: Address
    from: Address
    to: Address
    amount: bigint
  }): Promise<MinedTransaction> {
    const { token, from, to, amount } = options
    return this.#perform((world) => {
      world.transfer(token, from, to, amount)
    })
  }

  /** Transfers native tokens of an account, in wei. */
  send(options: { from: Address; to: Address; amount: bigint }): Promise<MinedTransaction> {
    return this.#perform((world) => {
      world.send(options.from, options.to, options.amount)
    })
  }

  /** Swaps tokens of an account in one pool in a new block. */
  swap(options: {
    pool: DeployedPool
    from: Address
    tokenIn: Address
    amountIn: bigint
  }): Promise<MinedTransaction> {
    const { pool, from, tokenIn, amountIn } = options
    return this.#perform((world) => {
      world.swap([pool], from, tokenIn, amountIn)
    })
  }

  /** Wraps native tokens of an account. */
  deposit(options: { from: Address; amount: bigint }): Promise<MinedTransaction> {
    return this.#perform((world) => {
      world.deposit(options.from, options.amount)
    })
  }

  /** Unwraps native tokens of an account. */
  withdraw(options: { from: Address; amount: bigint }): Promise<MinedTransaction> {
    return this.#perform((world) => {
      world.withdraw(options.from, options.amount)
    })
  }

  /** Swaps tokens of an account in one Uniswap V3 pool in a new block. */
  swapConcentrated(options: {
    pool: DeployedConcentratedPool
    from: Address
    tokenIn: Address
    amountIn: bigint
  }): Promise<MinedTransaction> {
    const { pool, from, tokenIn, amountIn } = options
    return this.#perform((world) => {
      swapExact(world, pool, from, tokenIn, amountIn)
    })
  }

  /**
   * Mints an ERC721, or an amount of an item of an ERC1155.
   *
   * @param options - `tokenId` is for ERC1155 only: an ERC721 takes the next free id; `uri` is for ERC721 only, and
   *   without it the contract renders an image
   */
  mintCollectible(options: {
    collection: DeployedCollection
    to: Address
    tokenId?: bigint
    amount?: bigint
    uri?: string
  }): Promise<MinedTransaction> {
    const { collection, to, tokenId, amount, uri } = options
    return this.#perform((world) => {
      if (collection.standard === 721) {
        mintCollectible(world, collection, to, uri)
      } else {
        mintItems(world, collection, to, [{ id: tokenId ?? 1n, amount }])
      }
    })
  }

  /** Transfers an NFT of an account. */
  transferCollectible(options: {
    collection: DeployedCollection
    tokenId: bigint
    from: Address
    to: Address
    /** For ERC1155 only; default 1. */
    amount?: bigint
  }): Promise<MinedTransaction> {
    const { collection, tokenId, from, to, amount } = options
    return this.#perform((world) => {
      transferCollectibles(world, collection, from, to, [{ id: tokenId, amount }])
    })
  }

  /** Sells an NFT of an account to another one on Seaport. */
  sellCollectible(options: {
    collection: DeployedCollection
    tokenId: bigint
    from: Address
    to: Address
    /** Wei; the artist gets a fortieth of it. */
    price: bigint
    /** For ERC1155 only; default 1. */
    amount?: bigint
  }): Promise<MinedTransaction> {
    const { collection, tokenId, from, to, price, amount } = options
    return this.#perform((world) => {
      const piece = { id: tokenId, amount }
      // Distinguishes otherwise equal offers.
      const salt = BigInt(Date.now())
      sellCollectible(world, collection, { piece, seller: from, buyer: to, price, salt })
    })
  }

  /**
   * Mines one block with these transactions of accounts in order; some may revert.
   *
   * @returns their hashes
   */
  transact(transactions: readonly PlannedTransaction[]): Promise<Hex[]> {
    return this.#exclusively(() => {
      this.#world.takeTransactions()
      for (const transaction of transactions) {
        this.#world.write(transaction)
      }
      // The effects of these transactions are not in the model of the traffic.
      this.#traffic.invalidate()
      return this.#sendAndMine(1)
    })
  }

  /** Mines blocks with the pending transactions of the node, at least this many seconds apart. */
  mine(blocks = 1, secondsApart = 1): Promise<void> {
    return this.#exclusively(async () => {
      for (let block = 0; block < blocks; block++) {
        await this.#sendAndMine(secondsApart)
      }
    })
  }

  /** Mines one block with transactions of the accounts, also while the traffic is paused. */
  mineTraffic(): Promise<void> {
    return this.#exclusively(() => this.#traffic.mineBlock())
  }

  /**
   * Replaces the latest blocks by as many empty ones, which undoes their transactions.
   *
   * @param depth - blocks; at most 256, and not below the block of the last start
   */
  reorg(depth: number): Promise<void> {
    return this.#exclusively(async () => {
      await this.rpc.call('anvil_reorg', depth, [])
      this.#traffic.invalidate()
      const head = hexToNumber(await this.rpc.call<Hex>('eth_blockNumber'))
      this.#world.venueTrades.undo(head - depth)
    })
  }

  /**
   * Removes the latest blocks, so that others can be mined in their place.
   *
   * @param depth - blocks; at most 256, and not below the block of the last start
   */
  rollBack(depth: number): Promise<void> {
    return this.#exclusively(async () => {
      await this.rpc.call('anvil_rollback', depth)
      this.#traffic.invalidate()
      this.#world.venueTrades.undo(hexToNumber(await this.rpc.call<Hex>('eth_blockNumber')))
    })
  }

  /** Stops the traffic and the mining of blocks, until `resume`. */
  async pause(): Promise<void> {
    this.#stopTraffic?.()
    this.#stopTraffic = undefined
    await this.#exclusively(() => this.#setAutomine(false))
  }

  /** Starts the traffic: one block per block time, and one for each transaction of other clients. */
  resume(): void {
    if (this.#ending) {
      return
    }
    this.#stopTraffic ??= repeat(() => this.mineTraffic(), {
      pause: () => this.#parts.blockTime * 1_000,
      onError: (error, failures) => {
        // Another client may have changed the chain: update the model and continue, unless the failures persist.
        this.#traffic.invalidate()
        if (failures === failuresToStop) {
          this.#fail(error)
        }
      },
    })
  }

  /** Saves the state, from which the chain continues after a crash. */
  save(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#parts.folder.writeState(await this.rpc.call<string>('anvil_dumpState', false))
    })
  }

  /** Saves the chain and stops its node. */
  stop(): Promise<void> {
    this.#ending ??= this.#end(async () => {
      // If the node no longer responds, the previously saved state remains.
      await this.save().catch(() => undefined)
      await this.#parts.anvil.stop()
    })
    return this.#ending
  }

  /** Kills the node without saving, like a crash. */
  kill(): Promise<void> {
    this.#ending ??= this.#end(() => this.#parts.anvil.kill())
    return this.#ending
  }

  async #end(endNode: () => Promise<void>): Promise<void> {
    this.#stopTraffic?.()
    this.#stopSaving()
    await endNode()
    await this.#parts.folder.removeProcess()
    await this.#parts.onStopped()
  }

  #fail(cause: unknown): void {
    if (this.#ending) {
      return
    }
    const reason = cause instanceof Error ? cause.message : String(cause)
    void this.stop()
    this.#parts.onFailure(
      new Error(
        `Chain ${this.chainId} (${this.name}) stopped: ${reason}. Start it again to continue from its last saved state.`,
        { cause },
      ),
    )
  }

  #perform(write: (world: World) => void): Promise<MinedTransaction> {
    return this.#exclusively(async () => {
      await readWorld(this.rpc, this.#world)
      write(this.#world)
      const hash = (await this.#sendAndMine(1)).at(-1)
      if (hash === undefined) {
        throw new RangeError('The amount is too small to have an effect')
      }
      const receipt = await this.rpc.call<{ status: Hex; blockNumber: Hex } | null>(
        'eth_getTransactionReceipt',
        hash,
      )
      if (receipt?.status !== '0x1') {
        throw new Error(`The transaction ${hash} was reverted`)
      }
      return { hash, blockNumber: hexToNumber(receipt.blockNumber) }
    })
  }

  async #sendAndMine(secondsApart: number): Promise<Hex[]> {
    // These are mined in one block.
    await this.#setAutomine(false)
    const transactions = this.#world.takeTransactions()
    const senders = [...new Set(transactions.map(({ from }) => from))]
    const [latest, ...counts] = await this.rpc.batch([
      ['eth_getBlockByNumber', ['latest', false]],
      ...senders.map((sender) => ['eth_getTransactionCount', [sender, 'pending']] as const),
    ])
    const nonces = new Map(
      senders.map((sender, index) => [sender, hexToNumber(counts[index] as Hex)]),
    )
    const { timestamp, number } = latest as { timestamp: Hex; number: Hex }
    const now = Math.floor(Date.now() / 1_000)
    const time = Math.max(now, hexToNumber(timestamp) + secondsApart)
    const hashes = await this.rpc.batch(rpcTransactions(transactions, nonces))
    // In a separate request: all transactions must have arrived.
    await this.rpc.call('evm_mine', numberToHex(time))
    await this.#setAutomine(this.#stopTraffic !== undefined)
    this.#world.venueTrades.endBlock(hexToNumber(number) + 1)
    return hashes as Hex[]
  }

  /** Sets whether each transaction that a client sends to the node is mined at once, which it is while the traffic runs. */
  async #setAutomine(isOn: boolean): Promise<void> {
    if (this.#isAutomining !== isOn) {
      this.#isAutomining = isOn
      await this.rpc.call('evm_setAutomine', isOn)
    }
  }
}
