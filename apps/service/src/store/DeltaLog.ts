import { LRUCache } from 'lru-cache'
import type { BlockRange } from './BlockRange.ts'
import type { BalanceDelta, ChainChange } from './changes.ts'

/** A change of the balance of a token. */
export interface LoggedDelta extends Pick<BalanceDelta, 'token' | 'amount'> {
  /** The indexed block after its commit. */
  readonly block: number
  /** The sequence of the first state with the change. */
  readonly sequence: number
}

interface HolderLog {
  /** The deltas are all changes after the state with this sequence. */
  readonly since: number
  readonly deltas: readonly LoggedDelta[]
}

/** Holders and deltas, of some 100 bytes each. */
const defaultMaxSize = 200_000
/** With more deltas, it is faster to read the rows of a holder again. */
const maxDeltas = 64

/** The latest changes of the balances of a chain, by which cached rows of wallets are updated. */
export class DeltaLog {
  readonly #logs: LRUCache<string, HolderLog>
  /** Changes up to this sequence are unknown for holders without a log. */
  #floor = 0

  /** @param maxSize - above it, the logs of the holders that were changed first are removed. */
  constructor(maxSize = defaultMaxSize) {
    this.#logs = new LRUCache({
      maxSize,
      dispose: ({ since, deltas }, _, reason) => {
        if (reason === 'evict') {
          this.#floor = Math.max(this.#floor, deltas.at(-1)?.sequence ?? since)
        }
      },
    })
  }

  /** Forgets the changes up to a sequence. */
  clear(sequence: number): void {
    this.#logs.clear()
    this.#floor = sequence
  }

  /** Adds the changes of a commit. */
  add({ keys, deltas, block, ancestor }: ChainChange, sequence: number): void {
    // Rows may have been read from the blocks that a reorg replaces, before these were published.
    if (!keys || ancestor !== undefined) {
      this.clear(sequence)
      return
    }
    const byHolder = Map.groupBy(deltas, ({ holder }) => holder)
    for (const holder of keys.holders) {
      const added = byHolder.get(holder)
      const log = added
        ? this.#extend(holder, added, block.number, sequence)
        : { since: sequence, deltas: [] }
      this.#logs.set(holder, log, { size: 1 + log.deltas.length })
    }
  }

  /**
   * The changes of a holder in a range of blocks, oldest first.
   *
   * @param since - the sequence of a state that was published when the block before the range was the latest one.
   * @returns undefined if something else may have changed.
   */
  find(holder: string, since: number, range: BlockRange): readonly LoggedDelta[] | undefined {
    const log = this.#logs.peek(holder)
    // The latest ones may be of a block that is not published yet.
    return log && log.since <= since
      ? log.deltas.filter(({ block }) => block > range.after && block <= range.upTo)
      : undefined
  }

  #extend(
    holder: string,
    added: readonly BalanceDelta[],
    block: number,
    sequence: number,
  ): HolderLog {
    const { since, deltas } = this.#logs.peek(holder) ?? { since: this.#floor, deltas: [] }
    const all = [
      ...deltas,
      ...added.map(({ token, amount }) => ({ token, amount, block, sequence })),
    ]
    const removed = all.length > maxDeltas ? all.splice(0, all.length - maxDeltas) : []
    return { since: removed.at(-1)?.sequence ?? since, deltas: all }
  }
}
