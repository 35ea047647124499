import type { Command } from 'commander'
import { loadConfig } from '../config/loadConfig.ts'
import type { KeyChangeOptions, KeyCommand, NewKeyOptions } from '../keys/commands/KeyCommand.ts'
import { printOutcome } from './printOutcome.ts'
import { type StoreOptions, withStoreOptions } from './storeOptions.ts'

/** Adds `keys create|list|update|revoke`. */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('issue, list, change and revoke API keys')
  const run = ({ config, data }: StoreOptions, command: KeyCommand) =>
    printOutcome(loadConfig(config, { data }), command)

  withStoreOptions(keys.command('create'))
    .description('issue a key and print it; it cannot be shown again')
    .requiredOption('--name <text>', 'who or what uses it')
    .option('--purpose <word>', 'what it may be used for (default: data, the operations)')
    .option('--rate <rate>', 'requests a minute, or 10/s, 600/m, 5000/h (default: as configured)')
    .option('--units <number>', 'compute units that it may use in all (default: unlimited)')
    .option('--expires <date>', 'when it stops working, such as 2030-01-31')
    .action(({ config, data, ...options }: StoreOptions & NewKeyOptions) =>
      run({ config, ...(data !== undefined && { data }) }, { type: 'create', ...options }),
    )
  withStoreOptions(keys.command('list'))
    .description('list the keys: id, first characters, purpose, state, units, rate, name')
    .option('--json', 'print JSON, with every field')
    .action(({ json, ...store }: StoreOptions & { json?: boolean }) =>
      run(store, { type: 'list', json }),
    )
  withStoreOptions(keys.command('update'))
    .description('change what a key may do; services take notice within a second')
    .argument('<id>', 'the key, as keys list tells it')
    .option('--name <text>', 'who or what uses it')
    .option('--rate <rate>', 'requests a minute, or 10/s, 600/m, 5000/h; default: as configured')
    .option('--units <number>', 'compute units that it may use in all; unlimited')
    .option('--add-units <number>', 'compute units on top of the quota that it has')
    .option('--expires <date>', 'when it stops working, such as 2030-01-31; never')
    .action((id: string, { config, data, ...options }: StoreOptions & KeyChangeOptions) =>
      run({ config, ...(data !== undefined && { data }) }, { type: 'update', id, ...options }),
    )
  withStoreOptions(keys.command('revoke'))
    .description('end a key for good; services take notice within a second')
    .argument('<id>', 'the key, as keys list tells it')
    .action((id: string, store: StoreOptions) => run(store, { type: 'revoke', id }))
}
