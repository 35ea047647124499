import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { CommandError } from '../commands/CommandError.ts'
import { defaultConfigFile, loadConfig, loadStoreConfig } from '../config/loadConfig.ts'
import { runFactsCommand } from '../facts/runFactsCommand.ts'
import type { ChainCommand } from '../repair/ChainCommand.ts'
import { addImportCommand } from './addImportCommand.ts'
import { parseChainOption, type StoreOptions, withStoreOptions } from './commandOptions.ts'
import { runAndPrintCommand } from './runAndPrintCommand.ts'

interface RepairOptions extends StoreOptions {
  readonly chain: string
  readonly to?: string
  readonly yes?: boolean
}

/** Adds `chain status|facts|import|rewind|reset|detach`. */
export function addChainCommands(program: Command): void {
  const chain = program
    .command('chain')
    .description('repair one chain; others are indexed and served meanwhile')
  const load = ({ config, data }: StoreOptions) => loadStoreConfig(config, { data })
  const run = (options: StoreOptions, command: ChainCommand) =>
    runAndPrintCommand(load(options), command)

  withStoreOptions(chain.command('status'))
    .description(
      'print how far chains are indexed, why they are stopped or stale, and what can be undone',
    )
    .option('--chain <id>', 'numeric id of the chain (default: all)')
    .action(async (options: StoreOptions & { chain?: string }) => {
      const config = load(options)
      const configured = config.chains.map(({ id, history, staleness }) => ({
        id,
        history,
        staleness,
      }))
      await runAndPrintCommand(config, {
        type: 'chain-status',
        ...(options.chain !== undefined && { chainId: parseChainOption(options.chain) }),
        ...(configured.length > 0 && { configured }),
      })
    })
  chain
    .command('facts')
    .description('print of which blocks facts are stored, how many, and where')
    .option('--config <file>', 'configuration file', defaultConfigFile)
    .requiredOption('--chain <id>', 'numeric id of the chain')
    .option('--verify', 'compare all files with their hashes, and remove corrupted ones')
    .action(async ({ config, ...options }: StoreOptions & { chain: string; verify?: boolean }) => {
      const chainId = parseChainOption(options.chain)
      const verify = options.verify ?? false
      process.stdout.write(`${await runFactsCommand(loadConfig(config), { chainId, verify })}\n`)
    })
  addImportCommand(chain)
  withStoreOptions(chain.command('rewind'))
    .description('undo the blocks above a block, also final ones, and index on from there')
    .requiredOption('--chain <id>', 'numeric id of the chain')
    .requiredOption('--to <block>', 'number of the block to keep; chain status prints the lowest')
    .option('--yes', 'do not prompt for a confirmation')
    .action(async (options: RepairOptions) => {
      const chainId = parseChainOption(options.chain)
      const to = parseBlockOption(options.to ?? '')
      await confirm(options, `Undo the blocks of chain ${chainId} above ${to}?`)
      await run(options, { type: 'chain-rewind', chainId, to })
    })
  withStoreOptions(chain.command('reset'))
    .description('delete what was indexed of a chain, and index it again from its first block')
    .requiredOption('--chain <id>', 'numeric id of the chain')
    .option('--yes', 'do not prompt for a confirmation')
    .action(async (options: RepairOptions) => {
      const chainId = parseChainOption(options.chain)
      await confirm(options, `Delete all rows of chain ${chainId} and index it again?`)
      await run(options, { type: 'chain-reset', chainId })
    })
  withStoreOptions(chain.command('detach'))
    .description('delete what was indexed of a chain, and do not index it until it is reset')
    .requiredOption('--chain <id>', 'numeric id of the chain')
    .option('--yes', 'do not prompt for a confirmation')
    .action(async (options: RepairOptions) => {
      const chainId = parseChainOption(options.chain)
      await confirm(options, `Delete all rows of chain ${chainId} and stop indexing it?`)
      await run(options, { type: 'chain-detach', chainId })
    })
}

function parseBlockOption(value: string): number {
  if (!/^\d{1,15}$/.test(value)) {
    throw new CommandError(`--to must be a block number, not "${value}"`)
  }
  return Number(value)
}

async function confirm({ yes = false }: RepairOptions, question: string): Promise<void> {
  if (yes) {
    return
  }
  if (!process.stdin.isTTY) {
    throw new CommandError(`${question} Add --yes to confirm`)
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const reply = await prompt.question(`${question} (yes/no) `)
  prompt.close()
  if (reply.trim().toLowerCase() !== 'yes') {
    throw new CommandError('Not confirmed; nothing was changed')
  }
}
