import { Command } from 'commander'
import { loadConfig } from '../config/loadConfig.ts'
import { createLogger } from './createLogger.ts'
import { createStopSignal } from './createStopSignal.ts'
import { printKeys, printNewKey, revokeKeyById } from './manageKeys.ts'
import { startService } from './startService.ts'

interface StoreOptions {
  readonly config: string
  readonly data?: string
}

/** The command line of the service. */
export function createProgram(): Command {
  const program = new Command('headwater')
    .description('Indexes EVM chains and answers the Headwater API.')
    .showHelpAfterError()

  withStoreOptions(program.command('start'))
    .description('index the configured chains and serve the API')
    .option('--port <number>', 'port to listen on; 0 takes any free one (PORT)')
    .option('--host <name>', 'address to listen on (HOST)')
    .action(({ config, ...overrides }: StoreOptions & { port?: string; host?: string }) =>
      startService(loadConfig(config, overrides), createLogger(), createStopSignal()),
    )

  const keys = program.command('keys').description('issue, list and revoke API keys')
  withStoreOptions(keys.command('create'))
    .description('issue a key and print it; it cannot be shown again')
    .requiredOption('--name <text>', 'who or what uses it')
    .option('--purpose <word>', 'what it may be used for (default: data, the operations)')
    .option('--expires <date>', 'when it stops working, such as 2030-01-31')
    .action(({ config, data, ...key }: StoreOptions & Parameters<typeof printNewKey>[1]) =>
      printNewKey(loadConfig(config, { data }), key),
    )
  withStoreOptions(keys.command('list'))
    .description('list the keys: id, first characters, purpose, state, name')
    .action(({ config, data }: StoreOptions) => printKeys(loadConfig(config, { data })))
  withStoreOptions(keys.command('revoke'))
    .description('end a key for good')
    .argument('<id>', 'the key, as keys list tells it')
    .action((id: string, { config, data }: StoreOptions) =>
      revokeKeyById(loadConfig(config, { data }), id),
    )
  return program
}

function withStoreOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file', 'headwater.config.json')
    .option('--data <folder>', 'folder of the embedded database (HEADWATER_DATA)')
}
