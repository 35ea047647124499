import type { Command } from 'commander'
import { CommandError } from '../commands/CommandError.ts'
import { loadStoreConfig } from '../config/loadConfig.ts'
import {
  parseAddressOption,
  parseChainOption,
  type StoreOptions,
  withStoreOptions,
} from './commandOptions.ts'
import { runAndPrintCommand } from './runAndPrintCommand.ts'
import type { MetadataRefetchCommand } from './runStoreCommand.ts'

interface RefetchOptions {
  readonly chain: string
  readonly contract: string
  readonly tokenId?: string
}

/** Adds `metadata refetch`. */
export function addMetadataCommands(program: Command): void {
  const metadata = program.command('metadata').description('manage the metadata of tokens and NFTs')
  withStoreOptions(metadata.command('refetch'))
    .description(
      'fetch metadata again, also where all attempts failed; the stored values are served until then',
    )
    .requiredOption('--chain <id>', 'numeric id of the chain')
    .requiredOption('--contract <address>', 'token or NFT contract')
    .option(
      '--token-id <number>',
      'a single NFT (default: all NFTs and the metadata of the contract)',
    )
    .action(({ config, data, ...options }: StoreOptions & RefetchOptions) =>
      runAndPrintCommand(loadStoreConfig(config, { data }), toCommand(options)),
    )
}

function toCommand({ chain, contract, tokenId }: RefetchOptions): MetadataRefetchCommand {
  const chainId = parseChainOption(chain)
  const address = parseAddressOption('--contract', contract)
  if (tokenId !== undefined && !/^\d{1,78}$/.test(tokenId)) {
    throw new CommandError(`--token-id must be a whole number, not "${tokenId}"`)
  }
  return {
    type: 'metadata-refetch',
    chainId,
    contract: address,
    ...(tokenId !== undefined && { tokenId }),
  }
}
