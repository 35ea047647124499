import { rewindChain } from '../indexing/undo/rewindChain.ts'
import { dropLoadedTables } from '../store/loadedTables.ts'
import { deleteChain } from '../store/partitions.ts'
import type { ChainCommand } from './ChainCommand.ts'
import { formatChains } from './formatChains.ts'
import { defaultLockTimeoutMs, release, type RepairedStore, withHold } from './withHold.ts'

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
    return await formatChains(db, command)
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
    await deleteChain(db, chainId, onProgress)
    await dropLoadedTables(db, chainId)
    return { result: undefined, then: isReset ? release : detach }
  })
  return isReset
    ? `Chain ${chainId} was reset; a process with this chain in its configuration indexes it again`
    : `Chain ${chainId} was detached; it is not indexed until it is reset`
}

const detach = {
  ...release,
  hold: 'detached' as const,
  stopped_reason: 'Detached by an operator; headwater chain reset indexes the chain again',
}
