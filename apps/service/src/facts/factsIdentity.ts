import { isSameScope, type StoredScope } from '../indexing/decode/StoredScope.ts'
import { describeLedgerChange } from '../indexing/follow/describeLedgerChange.ts'
import { FactsError } from './FactsError.ts'
import type { FactsStorage } from './FactsStorage.ts'
import { parseJson } from './parseJson.ts'

/** Of the columns and of what is decoded. */
const formatVersion = 2
/** Facts of version 1 lack `pool_logs` only: a chunk lists the kinds that it has, and new ones have all. */
const readableVersions: readonly number[] = [1, formatVersion]

/** What the facts of a chain depend on. */
export interface FactsIdentity {
  readonly chainId: number
  readonly genesisHash: string
  readonly ledger: StoredScope['ledger']
}

/** What `facts.json` contains. */
interface StoredIdentity extends FactsIdentity {
  readonly version: number
  /** Chunks of several sizes would overlap, and queries count their rows twice. Facts of earlier versions lack it. */
  readonly blocksPerChunk?: number
}

/** What new facts depend on. */
type CurrentIdentity = FactsIdentity & { readonly blocksPerChunk: number }

/**
 * Creates `facts.json` unless there is one.
 *
 * @throws {FactsError} when there is one of another chain, or of other settings.
 */
export async function requireIdentity(
  storage: FactsStorage,
  current: CurrentIdentity,
): Promise<void> {
  const identity = { version: formatVersion, ...current }
  const text = `${JSON.stringify(identity, undefined, 2)}\n`
  let stored = await readIdentity(storage)
  while (!stored) {
    stored = (await storage.create('facts.json', text)) ? identity : await readIdentity(storage)
  }
  requireSame(storage.location, stored, identity)
}

/** @throws {FactsError} when facts are of another chain, or of other settings. */
export function requireSame(
  location: string,
  stored: StoredIdentity,
  identity: CurrentIdentity,
): void {
  if (!readableVersions.includes(stored.version)) {
    throw new FactsError(
      `The facts in ${location} have version ${stored.version}, this program reads ${readableVersions.join(' and ')}: restore the version of the program, or delete that folder to fetch all blocks again, which takes as long as the initial indexing; headwater estimate measures it`,
    )
  }
  if (stored.chainId !== identity.chainId || stored.genesisHash !== identity.genesisHash) {
    throw new FactsError(
      `The facts in ${location} are those of another chain (genesis ${stored.genesisHash}, the node has ${identity.genesisHash}): choose another folder`,
    )
  }
  if (!isSameScope(stored.ledger, identity.ledger)) {
    throw new FactsError(
      `The facts in ${location} were written with other settings for what is indexed; the chain then had ${describeLedgerChange(stored.ledger, identity.ledger)}: restore the settings, or delete ${location} to fetch the facts again`,
    )
  }
  const { blocksPerChunk = identity.blocksPerChunk } = stored
  if (blocksPerChunk !== identity.blocksPerChunk) {
    throw new FactsError(
      `The facts in ${location} have ${blocksPerChunk} blocks per file, not ${identity.blocksPerChunk}: set facts.blocksPerChunk to ${blocksPerChunk}, or choose another folder`,
    )
  }
}

/**
 * @returns undefined when there is no `facts.json`.
 * @throws {FactsError} when it is damaged.
 */
export async function readIdentity(storage: FactsStorage): Promise<StoredIdentity | undefined> {
  const text = await storage.read('facts.json')
  const stored = parseJson<Partial<StoredIdentity> | null>(text)
  if (text !== undefined && !stored?.ledger) {
    const { location } = storage
    throw new FactsError(
      `${location}/facts.json is not valid: restore it, or delete ${location} to fetch the facts again`,
    )
  }
  return stored as StoredIdentity | undefined
}
