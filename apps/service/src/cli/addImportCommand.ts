import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { CommandError } from '../commands/CommandError.ts'
import { loadConfig } from '../config/loadConfig.ts'
import { DuckDb } from '../facts/DuckDb.ts'
import { isMemoryLimit, minMemory } from '../facts/isMemoryLimit.ts'
import { formatReason } from '../formatReason.ts'
import { importChain } from '../import/importChain.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { toStoreError } from '../store/describeDatabaseError.ts'
import { mainDatabase, openStore } from '../store/openStore.ts'
import { storeLocation } from '../store/storeLocation.ts'
import { parseChainOption, type StoreOptions, withStoreOptions } from './commandOptions.ts'
import { createStopSignal } from './createStopSignal.ts'

interface ImportOptions extends StoreOptions {
  readonly chain: string
  readonly from: string
  readonly sample: string
  readonly memory: string
  readonly spill?: string
  readonly reset?: boolean
}

/** Adds `chain import`. */
export function addImportCommand(chain: Command): void {
  withStoreOptions(chain.command('import'))
    .description(
      'load final balances that another engine made as Parquet, after comparing a sample with the nodes',
    )
    .requiredOption('--chain <id>', 'numeric id of a configured chain')
    .requiredOption('--from <folder>', 'folder with a folder of Parquet files for each table')
    .option('--sample <count>', 'amounts of each kind to compare with the nodes', '100')
    .option('--memory <size>', 'memory of DuckDB; beyond it, it uses the disk', '1GB')
    .option('--spill <folder>', 'where it uses the disk (default: that of temporary files)')
    .option('--reset', 'delete the rows that the chain has, once the import is verified')
    .addHelpText(
      'after',
      `
It changes nothing before the files are found to match the chain. Interrupted, it continues when it is repeated, and the
chain is not indexed until then; chain reset gives the import up. The embedded database can be opened by one process: stop
the service before. With PostgreSQL, the process that indexes the chain stands by meanwhile.`,
    )
    .action((options: ImportOptions) => run(options, createStopSignal()))
}

async function run(options: ImportOptions, signal: AbortSignal): Promise<void> {
  const { config: file, data, from, reset = false } = options
  const config = loadConfig(file, { data })
  const chainId = parseChainOption(options.chain)
  const chain = config.chains.find(({ id }) => id === chainId)
  if (!chain) {
    throw new CommandError(`Chain ${chainId} is not in ${file}: add it with its nodes`)
  }
  const { databaseUrl } = chain
  const location = databaseUrl === undefined ? storeLocation(config) : { databaseUrl }
  const name = databaseUrl === undefined ? mainDatabase : `chain ${chainId}`
  const memoryLimit = parseMemory(options.memory)
  const sample = parseCount(options.sample)
  const spill = createSpillFolder(resolve(options.spill ?? tmpdir()))
  try {
    const duckDb = await DuckDb.open({ folder: join(spill, 'duckdb'), memoryLimit })
    try {
      const text = await importChain({
        chain,
        duckDb,
        sample,
        reset,
        signal,
        node: new ChainNode(chain.rpcUrls, { verify: chain.verify, chainId: chain.id }),
        folder: resolve(from),
        onProgress: (line) => void process.stderr.write(`${line}\n`),
        openStore: () => openStore(location, undefined, { name }),
      })
      process.stdout.write(`${text}\n`)
    } finally {
      duckDb.close()
    }
  } catch (error) {
    if (signal.aborted) {
      throw new CommandError('Interrupted; repeat the command to continue')
    }
    throw toStoreError(error, location, name)
  } finally {
    rmSync(spill, { recursive: true, force: true })
  }
}

function createSpillFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, 'headwater-import-'))
  } catch (error) {
    throw new CommandError(
      `--spill: no folder can be created in ${parent} (${formatReason(error)}): name a folder that exists and can be written`,
    )
  }
}

function parseCount(value: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value)) {
    throw new CommandError(`--sample must be a number from 1 to 99999, not "${value}"`)
  }
  return Number(value)
}

function parseMemory(value: string): string {
  if (!isMemoryLimit(value)) {
    throw new CommandError(
      `--memory must be a size of at least ${minMemory}, such as 4GB, not "${value}"`,
    )
  }
  return value
}
