import type { Command } from 'commander'
import { CommandError } from '../commands/CommandError.ts'
import { loadConfig } from '../config/loadConfig.ts'
import { addressOption, chainOption } from './contractOptions.ts'
import { printOutcome } from './printOutcome.ts'
import type { RefetchCommand } from './RefetchCommand.ts'
import { type StoreOptions, withStoreOptions } from './storeOptions.ts'

interface RefetchOptions {
  readonly chain: string
  readonly contract: string
  readonly tokenId?: string
}

/** Adds `metadata refetch`. */
export function addMetadataCommands(program: Command): void {
  const metadata = program
    .command('metadata')
    .description('texts of tokens and documents of NFTs, as their contracts tell them')
  withStoreOptions(metadata.command('refetch'))
    .description('read them again, those that were given up too; what is known is told until then')
    .requiredOption('--chain <id>', 'numeric id of the chain')
    .requiredOption('--contract <address>', 'the token or NFT contract')
    .option('--token-id <number>', 'one NFT of it (default: all, and the texts of the contract)')
    .action(({ config, data, ...options }: StoreOptions & RefetchOptions) =>
      printOutcome(loadConfig(config, { data }), toCommand(options)),
    )
}

function toCommand({ chain, contract, tokenId }: RefetchOptions): RefetchCommand {
  const chainId = chainOption(chain)
  const address = addressOption('--contract', contract)
  if (tokenId !== undefined && !/^\d{1,78}$/.test(tokenId)) {
    throw new CommandError(`--token-id must be a whole number, not "${tokenId}"`)
  }
  return {
    type: 'refetch',
    chainId,
    contract: address,
    ...(tokenId !== undefined && { tokenId }),
  }
}
