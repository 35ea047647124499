import type { Command } from 'commander'
import { loadConfig } from '../config/loadConfig.ts'
import {
  parseAddressOption,
  parseChainOption,
  type StoreOptions,
  withStoreOptions,
} from './commandOptions.ts'
import { executeCommand } from './executeCommand.ts'
import type { AuditResetCommand } from './runCommand.ts'

/** Adds `audit reset`. */
export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description(
      'manage tokens that are read from the chain because their ledger disagreed with their contract',
    )
  withStoreOptions(audit.command('reset'))
    .description('read the amounts of a token from the ledger again and restart its audit')
    .requiredOption('--chain <id>', 'numeric id of the chain')
    .requiredOption('--token <address>', 'ERC20 token')
    .action(({ config, data, chain, token }: StoreOptions & { chain: string; token: string }) => {
      const command: AuditResetCommand = {
        type: 'audit-reset',
        chainId: parseChainOption(chain),
        token: parseAddressOption('--token', token),
      }
      return executeCommand(loadConfig(config, { data }), command)
    })
}
