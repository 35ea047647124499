import { CommandError } from '../commands/CommandError.ts'
import type { Config } from '../config/Config.ts'
import { formatReason } from '../formatReason.ts'
import { StoreError } from '../store/StoreError.ts'
import { ChainFacts, type Chunk } from './ChainFacts.ts'
import { FactsError } from './FactsError.ts'
import { factKinds } from './factTables.ts'

/**
 * Describes the facts of a chain, and verifies them on request.
 *
 * @param options.verify - compares the files with their hashes, and removes those of corrupted chunks.
 * @returns the text to print.
 * @throws {CommandError} when there are no facts, or they cannot be read.
 */
export async function runFactsCommand(
  { facts: config }: Pick<Config, 'facts'>,
  { chainId, verify }: { readonly chainId: number; readonly verify: boolean },
): Promise<string> {
  if (!config) {
    throw new CommandError('The configuration has no facts.folder, so that no facts are written')
  }
  const facts = await ChainFacts.openExisting(config, chainId).catch((error: unknown) => {
    throw error instanceof FactsError || error instanceof StoreError
      ? error
      : new CommandError(
          `${config.folder}: the facts cannot be read (${formatReason(error)}): correct facts.folder, or permit this user to read it`,
          { cause: error },
        )
  })
  if (!facts) {
    throw new CommandError(
      `${config.folder} has no facts of chain ${chainId}; the service writes them while it indexes the chain`,
    )
  }
  try {
    const removed = verify ? await facts.removeCorrupted(facts.all) : []
    return describe(facts, { chainId, verify, removed })
  } finally {
    await facts.close()
  }
}

function describe(
  { all, chunks, missing, location }: ChainFacts,
  options: {
    readonly chainId: number
    readonly verify: boolean
    readonly removed: readonly Chunk[]
  },
): string {
  const { chainId, verify, removed } = options
  const files = chunks.flatMap((chunk) => Object.values(chunk.files))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const first = chunks[0]
  const last = chunks.at(-1)
  const state =
    first && last
      ? `blocks ${first.from} to ${last.to} in ${chunks.length} files of each kind, ${(bytes / 1e6).toFixed(1)} MB`
      : 'no blocks'
  const after = all.length - chunks.length
  return [
    `chain ${chainId}: ${state}`,
    `  folder ${location}`,
    ...factKinds.map((kind) => {
      const rows = chunks.reduce((sum, chunk) => sum + (chunk.files[kind]?.rows ?? 0), 0)
      const lacking = chunks.filter((chunk) => !chunk.files[kind])
      return lacking.length === 0
        ? `  ${kind}: ${rows}`
        : `  ${kind}: ${rows}, without those of blocks ${lacking[0]?.from} to ${lacking.at(-1)?.to}, which an earlier version wrote; they are fetched again once pools that are read by calls are added`
    }),
    missing.to !== undefined &&
      `  blocks ${missing.from} to ${missing.to} are missing; ${after} files of each kind after them are kept, and are not counted above`,
    ...removed.map(({ from, to }) => {
      return `  blocks ${from} to ${to} were corrupted and removed; the service fetches them when it starts again`
    }),
    verify && removed.length === 0 && '  all files have their hashes',
  ]
    .filter(Boolean)
    .join('\n')
}
