import { CommandError } from '../commands/CommandError.ts'
import { rewindChain } from '../indexing/undo/rewindChain.ts'
import type { ChainHold } from '../store/Database.ts'
import { dropLoadedTables } from '../store/loadedTables.ts'
import { deleteChain } from '../store/partitions.ts'
import type { ChainLock, Store } from '../store/Store.ts'
import { type ChainCommand, createNotInStore } from './ChainCommand.ts'
import { formatChains } from './formatChains.ts'

/** Longer than an indexer takes to complete a commit. */
const defaultLockTimeoutMs = 120_000

type RepairedStore = Pick<Store, 'db' | 'lockChain'>

/**
 * Runs a command of a chain. A repair holds the chain: the process that indexes it, whichever it is, releases its lock,
 * stands by, and continues afterwards.
 *
 * @param onProgress - called with a line for the operator.
 * @returns the text to print.
 * @throws {CommandError} when the command cannot be run.
 */
export async function runChainCommand(
  store: RepairedStore,
  command: ChainCommand,
  onProgress: (text: string) => void = () => {},
  lockTimeoutMs = defaultLockTimeoutMs,
): Promise<string> {
  const { db } = store
  if (command.type === 'chain-status') {
    return await formatChains(db, command.chainId)
  }
  const { chainId } = command
  const repair = { chainId, onProgress, lockTimeoutMs }
  if (command.type === 'chain-rewind') {
    const { to } = command
    const before = await withHold(store, { ...repair, hold: 'rewind' }, async () => {
      const indexed = await rewindChain(db, chainId, to)
      return { result: indexed, then: release }
    })
    return `Chain ${chainId} was rewound from block ${before} to block ${to}; indexing continues from there`
  }
  const isReset = command.type === 'chain-reset'
  const hold = isReset ? 'reset' : 'detach'
  await withHold(store, { ...repair, hold }, async () => {
    onProgress(`Deleting the rows of chain ${chainId}`)
    await deleteChain(db, chainId)
    await dropLoadedTables(db, chainId)
    return { result: undefined, then: isReset ? release : detach }
  })
  return isReset
    ? `Chain ${chainId} was reset; a process with this chain in its configuration indexes it again`
    : `Chain ${chainId} was detached; it is not indexed until it is reset`
}

/** Lets processes index the chain. */
const release = {
  ...{ hold: null, stopped_reason: null, failure: null, confirmed_at: null },
  ...{ head_block: null, head_time: null, seconds_left: null, stage: null },
}
const detach = {
  ...release,
  hold: 'detached' as const,
  stopped_reason: 'Detached by an operator; headwater chain reset indexes the chain again',
}

interface Repair {
  readonly chainId: number
  readonly hold: ChainHold
  readonly onProgress: (text: string) => void
  readonly lockTimeoutMs: number
}

/** Runs a repair while no process indexes the chain, and then updates its indexer's row. */
async function withHold<Result>(
  store: RepairedStore,
  { chainId, hold, onProgress, lockTimeoutMs }: Repair,
  repair: () => Promise<{ result: Result; then: typeof release | typeof detach }>,
): Promise<Result> {
  const previous = await readHold(store, chainId)
  if (hold === 'rewind' && previous === 'detached') {
    throw new CommandError(`Chain ${chainId} is detached; use chain reset to index it again`)
  }
  await writeHold(store, chainId, hold)
  let lock: ChainLock | undefined
  try {
    lock = await store.lockChain(chainId, {
      signal: AbortSignal.timeout(lockTimeoutMs),
      onWaiting: () => onProgress('Waiting for the process that indexes the chain'),
    })
    if (!lock) {
      throw new CommandError(
        `The process that indexes chain ${chainId} did not release it; stop that process, and repeat the command`,
      )
    }
    const { result, then } = await repair()
    await store.db.updateTable('indexers').set(then).where('chain_id', '=', chainId).execute()
    return result
  } catch (error) {
    await writeHold(store, chainId, previous)
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
