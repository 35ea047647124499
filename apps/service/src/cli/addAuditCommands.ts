import type { Command } from 'commander'
import { loadStoreConfig } from '../config/loadConfig.ts'
import {
  parseAddressOption,
  parseChainOption,
  type StoreOptions,
  withStoreOptions,
} from './commandOptions.ts'
import { runAndPrintCommand } from './runAndPrintCommand.ts'
import type { AuditResetCommand } from './runStoreCommand.ts'

/** Adds `audit reset`. */
export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description(
      'manage tokens that use onchain balances because the ledger differed from balanceOf',
    )
  withStoreOptions(audit.command('reset'))
    .description('switch a token back to ledger balances and restart its audit')
    .requiredOption('--chain <id>', 'numeric id of the chain')
    .requiredOption('--token <address>', 'ERC20 token')
    .action(({ config, data, chain, token }: StoreOptions & { chain: string; token: string }) => {
      const command: AuditResetCommand = {
        type: 'audit-reset',
        chainId: parseChainOption(chain),
        token: parseAddressOption('--token', token),
      }
      return runAndPrintCommand(loadStoreConfig(config, { data }), command)
    })
}
