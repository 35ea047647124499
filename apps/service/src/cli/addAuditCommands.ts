import type { Command } from 'commander'
import { loadConfig } from '../config/loadConfig.ts'
import type { AuditResetCommand } from './AuditResetCommand.ts'
import { addressOption, chainOption } from './contractOptions.ts'
import { printOutcome } from './printOutcome.ts'
import { type StoreOptions, withStoreOptions } from './storeOptions.ts'

/** Adds `audit reset`. */
export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description(
      'tokens whose ledger disagreed with their contract, and that are read from the chain',
    )
  withStoreOptions(audit.command('reset'))
    .description('tell the amounts of a token by the ledger again; it is audited anew')
    .requiredOption('--chain <id>', 'numeric id of the chain')
    .requiredOption('--token <address>', 'the ERC20 token')
    .action(({ config, data, chain, token }: StoreOptions & { chain: string; token: string }) => {
      const command: AuditResetCommand = {
        type: 'audit-reset',
        chainId: chainOption(chain),
        token: addressOption('--token', token),
      }
      return printOutcome(loadConfig(config, { data }), command)
    })
}
