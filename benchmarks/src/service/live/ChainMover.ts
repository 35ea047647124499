import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ChangeSet } from '../../../../apps/service/src/indexing/fold/ChangeSet.ts'
import { commitBatch } from '../../../../apps/service/src/indexing/write/commitBatch.ts'
import { eventBits } from '../../../../apps/service/src/metadata/classifyContract.ts'
import type { Store } from '../../../../apps/service/src/store/Store.ts'
import { now } from '../../now.ts'
import { benchChainId } from '../history/startNode.ts'
import { seeded } from '../responses/seedStore.ts'
import {
  getSeededAmount,
  getSeededPool,
  getTokenNumber,
  getWallet,
  seededWallets,
} from './seedWallets.ts'

const walletShare = 0.02
const poolsPerBlock = 200

/** A block, and when its commit started and ended. */
export type Commit = readonly [block: number, startedAt: number, endedAt: number]

/** Is awaited before a commit. */
export type BeforeCommit = () => Promise<void> | undefined

/** Commits blocks as an indexer does, each of which changes 2 % of the wallets and 200 pools. */
export class ChainMover {
  readonly #store: Pick<Store, 'db'>
  readonly #beforeCommit: BeforeCommit | undefined
  /** Reserves of the stablecoin, by the number of a token. Allocated at the start, as memory is measured. */
  readonly #reserves = Array.from(
    { length: seededWallets.tokens },
    (_, token) => getSeededPool(token).reserve0,
  )
  /** What blocks added to the amounts of each wallet. */
  readonly #added = new Float64Array(seededWallets.count * seededWallets.tokensEach)
  #head: { number: number; hash: string } = seeded.head

  constructor(store: Pick<Store, 'db'>, beforeCommit?: BeforeCommit) {
    this.#store = store
    this.#beforeCommit = beforeCommit
  }

  /** The amounts of wallets that blocks changed, in decimal, by wallet and token. */
  listAmounts(): (readonly [walletAndToken: string, amount: string])[] {
    return [...this.#added].flatMap((added, position) => {
      const index = position % seededWallets.tokensEach
      const wallet = (position - index) / seededWallets.tokensEach
      const { token } = getSeededPool(getTokenNumber(wallet, index))
      const amount = getSeededAmount(wallet, index) + BigInt(added)
      return added > 0 ? [[`${getWallet(wallet)} ${token}`, `${amount}`] as const] : []
    })
  }

  /** Commits a block per interval until the signal aborts. */
  async run(wallets: number, intervalMs: number, signal: AbortSignal): Promise<Commit[]> {
    const commits: Commit[] = []
    while (!signal.aborted) {
      const startedAt = now()
      await this.#beforeCommit?.()
      commits.push(await this.#commit(wallets))
      const rest = Math.max(0, intervalMs - (now() - startedAt))
      await delay(rest, undefined, { signal }).catch(() => {})
    }
    return commits
  }

  async #commit(wallets: number): Promise<Commit> {
    const number = this.#head.number + 1
    const changes = new ChangeSet()
    for (let each = 0; each < wallets * walletShare; each++) {
      const wallet = Math.floor(Math.random() * wallets)
      const index = each % seededWallets.tokensEach
      const token = getTokenNumber(wallet, index)
      const { token: address } = getSeededPool(token)
      const holder = getWallet(wallet)
      const holders = changes.balances[20].get(address) ?? new Map<string, never>()
      changes.balances[20].set(address, holders)
      const change = { holder, token: address, standard: 20, firstIn: number } as const
      if (!holders.has(holder)) {
        const position = wallet * seededWallets.tokensEach + index
        this.#added[position] = (this.#added[position] ?? 0) + number
      }
      holders.set(holder, { ...change, amount: BigInt(number), initiated: null } as never)
      const found = { block: 1, standard: 20, events: eventBits[20], hasPool: false } as const
      changes.tokens.set(address, found)
    }
    for (let each = 0; each < poolsPerBlock; each++) {
      const token = Math.floor(Math.random() * seededWallets.tokens)
      const { pool, reserve1 } = getSeededPool(token)
      const before = this.#reserves[token] ?? 0n
      // Swaps of a millionth to a hundredth of the reserves, most of them small.
      const share = BigInt(Math.round(10 ** (6 + 4 * Math.random())))
      const sign = Math.random() < 0.5 ? 1n : -1n
      const reserve0 = before + (sign * before * share) / 1_000_000_000_000n
      this.#reserves[token] = reserve0
      changes.poolStates.set(`${number} ${pool}`, {
        pool,
        block: number,
        reserve0,
        reserve1,
        sqrtPrice: null,
      })
    }
    const hash = `0x${createHash('sha256').update(`${number}`).digest('hex')}`
    const block = { number, hash, time: 1_700_000_000 + 12 * number }
    const batch = {
      blocks: [block],
      logCount: 0,
      undoBlock: number - 64,
      permanent: new ChangeSet(),
      undoable: [{ block: number, changes }],
    }
    const options = { chainId: benchChainId, from: this.#head }
    const startedAt = now()
    await commitBatch(this.#store.db, batch, options)
    this.#head = block
    return [number, startedAt, now()]
  }
}
