import { Command } from 'commander'
import { loadConfig } from '../config/loadConfig.ts'
import { addKeyCommands } from './addKeyCommands.ts'
import { addMetadataCommands } from './addMetadataCommands.ts'
import { createLogger } from './createLogger.ts'
import { createStopSignal } from './createStopSignal.ts'
import { startService } from './startService.ts'
import { type StoreOptions, withStoreOptions } from './storeOptions.ts'

/** The command line of the service. */
export function createProgram(): Command {
  const program = new Command('headwater')
    .description('Indexes EVM chains and answers the Headwater API.')
    .showHelpAfterError()

  withStoreOptions(program.command('start'))
    .description('index the configured chains and serve the API')
    .option('--port <number>', 'port to listen on; 0 takes any free one (PORT)')
    .option('--host <name>', 'address to listen on (HOST)')
    .option('--role <role>', 'index, serve, or all, which does both (HEADWATER_ROLE)')
    .action(
      ({ config, ...overrides }: StoreOptions & { port?: string; host?: string; role?: string }) =>
        startService(loadConfig(config, overrides), createLogger(), createStopSignal()),
    )

  addKeyCommands(program)
  addMetadataCommands(program)
  return program
}
