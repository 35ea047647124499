import type { Updateable } from 'kysely'
import { CommandError } from '../commands/CommandError.ts'
import type { ChainHold, IndexersTable } from '../store/Database.ts'
import { describeOutage } from '../store/describeDatabaseError.ts'
import type { ChainLock, Store } from '../store/Store.ts'
import { createNotInStore } from './ChainCommand.ts'

/** Longer than an indexer takes to complete a commit. */
export const defaultLockTimeoutMs = 120_000

export type RepairedStore = Pick<Store, 'db' | 'lockChain'>

/** Lets processes index the chain. */
export const release = {
  hold: null,
  stopped_reason: null,
  failure: null,
  confirmed_at: null,
  reported_at: null,
  head_block: null,
  head_time: null,
  seconds_left: null,
  stage: null,
}

interface Repair {
  readonly chainId: number
  readonly hold: ChainHold
  readonly onProgress: (text: string) => void
  readonly lockTimeoutMs: number
}

/** Runs a repair while no process indexes the chain, and then updates its indexer's row. */
export async function withHold<Result>(
  store: RepairedStore,
  { chainId, hold, onProgress, lockTimeoutMs }: Repair,
  repair: () => Promise<{ result: Result; then: Updateable<IndexersTable> }>,
): Promise<Result> {
  const readPrevious = async () => {
    const previous = await readHold(store, chainId)
    if (hold === 'rewind' && previous === 'detached') {
      throw new CommandError(`Chain ${chainId} is detached; use chain reset to index it again`)
    }
    return previous
  }
  let previous = await readPrevious()
  await writeHold(store, chainId, hold)
  let lock: ChainLock | undefined
  let outage: Error | undefined
  try {
    lock = await store.lockChain(chainId, {
      signal: AbortSignal.timeout(lockTimeoutMs),
      onWaiting: (error) => {
        outage = error as Error | undefined
        onProgress(
          error === undefined
            ? 'Waiting for the process that indexes the chain'
            : `Waiting for the database to lock the chain, as it ${describeOutage(error)}`,
        )
      },
    })
    if (!lock) {
      throw (
        outage ??
        new CommandError(
          `The process that indexes chain ${chainId} did not release it; stop that process, and repeat the command`,
        )
      )
    }
    // Another repair that had the lock until now has released the chain, and this one holds it again.
    const current = await readPrevious()
    if (current !== hold) {
      previous = current
      await writeHold(store, chainId, hold)
    }
    const { result, then } = await repair()
    await store.db.updateTable('indexers').set(then).where('chain_id', '=', chainId).execute()
    return result
  } catch (error) {
    await store.db
      .updateTable('indexers')
      .set({ hold: previous })
      .where('chain_id', '=', chainId)
      .where('hold', '=', hold)
      .execute()
      .catch(() =>
        onProgress(`Chain ${chainId} remains held, so that it is not indexed: repeat the command`),
      )
    throw error
  } finally {
    await lock?.release()
  }
}

async function readHold({ db }: RepairedStore, chainId: number): Promise<ChainHold | null> {
  const known = await db
    .selectFrom('chains')
    .leftJoin('indexers', 'indexers.chain_id', 'chains.chain_id')
    .select('hold')
    .where('chains.chain_id', '=', chainId)
    .executeTakeFirst()
  if (!known) {
    throw createNotInStore(chainId)
  }
  return known.hold
}

async function writeHold({ db }: RepairedStore, chainId: number, hold: ChainHold | null) {
  await db
    .insertInto('indexers')
    .values({ chain_id: chainId, hold })
    .onConflict((conflict) => conflict.column('chain_id').doUpdateSet({ hold }))
    .execute()
}
