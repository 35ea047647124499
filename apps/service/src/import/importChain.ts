import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { CommandError } from '../commands/CommandError.ts'
import type { ChainConfig } from '../config/Config.ts'
import type { DuckDb } from '../facts/DuckDb.ts'
import { toBlob } from '../facts/factTables.ts'
import { BulkLoad } from '../indexing/bulk/BulkLoad.ts'
import { getNativeEmitters } from '../indexing/decode/Scope.ts'
import {
  excludeFactories,
  type StoredScope,
  toStoredScope,
} from '../indexing/decode/StoredScope.ts'
import { getDownsampling } from '../indexing/fold/Downsampling.ts'
import { loadCursor } from '../indexing/follow/Cursor.ts'
import { Finality } from '../indexing/follow/Finality.ts'
import { verifyChain } from '../indexing/follow/verifyChain.ts'
import { isRead } from '../pricing/venues/venues.ts'
import { defaultLockTimeoutMs, release, withHold } from '../repair/withHold.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { loadHold } from '../store/loadHold.ts'
import { deleteChain } from '../store/partitions.ts'
import type { Store } from '../store/Store.ts'
import { checkImport, type ImportedBlock } from './checkImport.ts'
import { createImportedTables, getImportFolds } from './importQueries.ts'
import { createImportViews, type ImportFiles, listImportFiles } from './importTables.ts'
import { type Verification, verifyImport } from './verifyImport.ts'

type ImportStore = Pick<Store, 'db' | 'lockChain' | 'close'>

interface ImportOptions {
  readonly chain: ChainConfig
  readonly node: ChainNode
  readonly duckDb: DuckDb
  /** With a folder of each table. */
  readonly folder: string
  /** How many amounts of each kind are compared with the nodes. */
  readonly sample: number
  /** Whether rows of the chain are deleted, once the import is verified. */
  readonly reset: boolean
  readonly signal: AbortSignal
  /** Called with lines for the operator. */
  readonly onProgress: (text: string) => void
  /** Opens the store, which another process must not have open where it is embedded. */
  readonly openStore: () => Promise<ImportStore>
}

/**
 * Loads final balances and facts that another engine made into a store, after they were compared with the nodes. Indexing
 * continues after their last block. An interrupted import can be repeated: tables that were loaded completely are kept, and
 * no process indexes the chain until it is complete or the chain is reset.
 *
 * @returns the text to print.
 * @throws {CommandError} when the files are invalid, differ from the chain, or the chain has rows already.
 */
export async function importChain(options: ImportOptions): Promise<string> {
  const files = listImportFiles(options.folder)
  const store = await options.openStore()
  try {
    const isInterrupted = (await loadHold(store.db, options.chain.id)) === 'import'
    if (!isInterrupted) {
      await requireEmpty(store, options)
    }
    return await verifyAndLoad(options, store, files, isInterrupted)
  } finally {
    await store.close()
  }
}

async function verifyAndLoad(
  options: ImportOptions,
  store: ImportStore,
  files: ImportFiles,
  isInterrupted: boolean,
): Promise<string> {
  const { chain, duckDb, signal, onProgress } = options
  await createImportViews(duckDb, files, createFilter(chain), signal)
  onProgress('checking the files')
  const block = await checkImport(duckDb, files, chain.startBlock, signal)
  const head = await requireFinal(options, block)
  const verification = await verifyImport({ ...options, files, block, count: options.sample })
  if (verification.differences.length > 0) {
    throw new CommandError(formatDifferences(verification.differences))
  }
  onProgress(formatVerification(verification))
  const scope = getImportedScope(chain, files)
  await load(options, { store, files, block, scope, headTime: head.time, isInterrupted })
  return [
    `Chain ${chain.id} was imported up to block ${block.number}; the service indexes the blocks after it`,
    ...describeMissing(chain, files),
  ].join('\n')
}

/** Rows of contracts that indexing ignores are not imported. */
function createFilter(chain: ChainConfig): (column: string) => string {
  const list = (addresses: readonly string[]) => addresses.map(toBlob).join()
  const { tokens } = chain
  return (column) => {
    const conditions = [
      `${column} not in (${list(getNativeEmitters(chain))})`,
      ...(tokens.length > 0 ? [`${column} in (${list(tokens)})`] : []),
    ]
    // Rows without a contract are not ignored, but rejected.
    return `(${column} is null or ${conditions.join(' and ')})`
  }
}

async function requireFinal(
  { chain, node, signal }: Pick<ImportOptions, 'chain' | 'node' | 'signal'>,
  { number }: ImportedBlock,
) {
  const finality = new Finality(chain, node)
  const [head] = await Promise.all([node.getHead(signal), finality.update(signal)])
  const finalBlock = finality.getFinalBlock(head)
  if (number > finalBlock) {
    throw new CommandError(
      `The import ends at block ${number}, which is not final: export blocks up to ${finalBlock}, or repeat the command later`,
    )
  }
  return head
}

/** The settings of the chain without what the import does not contain: it is added from the nodes, as after a change of them. */
function getImportedScope(chain: ChainConfig, files: ImportFiles): StoredScope {
  const scope = excludeFactories(
    toStoredScope(chain),
    (option) => isRead(option) || !files.has('pools'),
  )
  return files.has('sales') ? scope : { ...scope, sales: { marketplaces: [] } }
}

/** An import that equals the chain. */
interface VerifiedImport {
  readonly store: ImportStore
  readonly files: ImportFiles
  readonly block: ImportedBlock
  readonly scope: StoredScope
  readonly headTime: number
  /** Whether the chain is held by an import that did not end. */
  readonly isInterrupted: boolean
}

/** Loads the rows while no process indexes the chain. If that fails, it remains so, or a service would index the empty chain. */
async function load(options: ImportOptions, verified: VerifiedImport): Promise<void> {
  const { chain, node, reset, onProgress, signal } = options
  const { store, block, isInterrupted } = verified
  await verifyChain(store.db, node, chain, signal)
  const repair = { chainId: chain.id, onProgress, lockTimeoutMs: defaultLockTimeoutMs }
  const failure = await withHold(store, { ...repair, hold: 'import' }, async () => {
    // While it waited, this process may have been interrupted, and another one may have indexed blocks.
    signal.throwIfAborted()
    const cursor = await loadCursor(store.db, chain.id)
    if (isInterrupted && !reset && cursor?.block?.hash === block.hash) {
      // It was killed after its last commit.
      return { result: undefined, then: release }
    }
    await requireEmpty(store, options)
    try {
      await loadRows(options, verified)
      return { result: undefined, then: release }
    } catch (error) {
      const reason = describeUnfinished(chain)
      return { result: { error, reason }, then: { hold: 'import', stopped_reason: reason } }
    }
  })
  if (failure) {
    onProgress(failure.reason)
    throw failure.error
  }
}

async function loadRows(
  options: ImportOptions,
  { store: { db }, files, block, scope, headTime }: VerifiedImport,
): Promise<void> {
  const { chain, node, duckDb, reset, onProgress, signal } = options
  if (reset) {
    await deleteChain(db, chain.id, onProgress)
    await verifyChain(db, node, chain, signal)
  }
  const bulkLoad = new BulkLoad({
    chainId: chain.id,
    db,
    duckDb,
    scope,
    source: {
      prepare: createImportedTables(scope),
      folds: getImportFolds(scope),
      end: { to: block.number, hash: block.hash, time: block.time },
      version: JSON.stringify({ import: describeFiles(files), block: block.number, scope }),
    },
    downsampling: getDownsampling(chain, headTime),
    onStage: ({ text }) => onProgress(text),
  })
  await bulkLoad.run(signal)
}

function describeUnfinished({ id }: ChainConfig): string {
  return `The import did not complete: repeat it with the same files, or give it up with headwater chain reset --chain ${id}; until then, the chain is not indexed`
}

async function requireEmpty(
  { db }: ImportStore,
  { chain: { id }, reset }: Pick<ImportOptions, 'chain' | 'reset'>,
): Promise<void> {
  const cursor = await loadCursor(db, id)
  if (cursor?.block && !reset) {
    throw new CommandError(
      `Chain ${id} is indexed up to block ${cursor.block.number}: add --reset to delete its rows and import them instead`,
    )
  }
}

/** What is not known of the chain until it is added from the nodes, a line each. */
function describeMissing({ marketplaces }: ChainConfig, files: ImportFiles): string[] {
  return [
    ...(files.has('pools')
      ? []
      : [
          '  it has no pools: tokens have no prices until the pools of the configured factories are added from the nodes',
        ]),
    ...(files.has('sales') || marketplaces.length === 0
      ? []
      : [
          '  it has no sales: NFTs have no last_sale_price until those of the configured marketplaces are added from the nodes',
        ]),
  ]
}

function formatVerification({ blocks, compared, equal, fromLogs }: Verification): string {
  const rest =
    fromLogs > 0
      ? `, ${fromLogs} follow from logs only, as of tokens that change amounts without events`
      : ''
  return `the events of ${blocks} blocks of the nodes are part of the files; ${equal} of ${compared} amounts are what the contracts return${rest}`
}

/** Enough to find the fault. */
const maxDifferences = 20

function formatDifferences(differences: readonly string[]): string {
  const rest = differences.length - maxDifferences
  return [
    'The import differs from the chain and was not loaded. Correct the queries that made it, and check that they read all blocks:',
    ...differences.slice(0, maxDifferences).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  and ${rest} others`] : []),
  ].join('\n')
}

/** Identifies the content of files: an import that was interrupted continues with the same ones only. */
function describeFiles(files: ImportFiles): string {
  const hash = createHash('sha256')
  for (const file of [...files.values()].flat()) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}
