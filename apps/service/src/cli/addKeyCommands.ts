import type { Command } from 'commander'
import { loadStoreConfig } from '../config/loadConfig.ts'
import type { KeyChangeOptions, KeyCommand, NewKeyOptions } from '../keys/commands/KeyCommand.ts'
import { type StoreOptions, withStoreOptions } from './commandOptions.ts'
import { runAndPrintCommand } from './runAndPrintCommand.ts'

/** Adds `keys create|list|update|revoke`. */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('issue, list, change and revoke API keys')
  const run = ({ config, data }: StoreOptions, command: KeyCommand) =>
    runAndPrintCommand(loadStoreConfig(config, { data }), command)

  withStoreOptions(keys.command('create'))
    .description('issue a key and print it; it cannot be displayed again')
    .requiredOption('--name <text>', 'name of the user or application')
    .option('--purpose <word>', 'what it may be used for (default: data, which is the operations)')
    .option('--rate <rate>', 'requests a minute, or 10/s, 600/m, 5000/h (default: as configured)')
    .option('--units <number>', 'quota of compute units (default: unlimited)')
    .option('--expires <date>', 'expiry date, such as 2030-01-31')
    .action(({ config, data, ...options }: StoreOptions & NewKeyOptions) =>
      run({ config, data }, { type: 'keys-create', ...options }),
    )
  withStoreOptions(keys.command('list'))
    .description('list the keys: id, first characters, purpose, state, units, rate, name')
    .option('--json', 'print JSON, with every field')
    .action(({ json, ...store }: StoreOptions & { json?: boolean }) =>
      run(store, { type: 'keys-list', json }),
    )
  withStoreOptions(keys.command('update'))
    .description('change a key; running services apply it within a second')
    .argument('<id>', 'id of the key in keys list')
    .option('--name <text>', 'name of the user or application')
    .option(
      '--rate <rate>',
      'requests a minute, or 10/s, 600/m, 5000/h; default for the configured rate',
    )
    .option('--units <number>', 'quota of compute units, or unlimited')
    .option('--add-units <number>', 'compute units to add to the quota')
    .option('--expires <date>', 'expiry date, such as 2030-01-31, or never')
    .action((id: string, { config, data, ...options }: StoreOptions & KeyChangeOptions) =>
      run({ config, data }, { type: 'keys-update', id, ...options }),
    )
  withStoreOptions(keys.command('revoke'))
    .description('revoke a key permanently; running services apply it within a second')
    .argument('<id>', 'id of the key in keys list')
    .action((id: string, store: StoreOptions) => run(store, { type: 'keys-revoke', id }))
}
