import { Command } from 'commander'
import { loadConfig } from '../config/loadConfig.ts'
import { publishedSchema } from '../config/publishedSchema.ts'
import { addAuditCommands } from './addAuditCommands.ts'
import { addKeyCommands } from './addKeyCommands.ts'
import { addMetadataCommands } from './addMetadataCommands.ts'
import { createLogger } from './createLogger.ts'
import { createStopSignal } from './createStopSignal.ts'
import { printExamination } from './printExamination.ts'
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

  withStoreOptions(program.command('doctor'))
    .description('look at configuration, store and nodes, and say what is wrong; changes nothing')
    .action(({ config, data }: StoreOptions) => printExamination(loadConfig(config, { data })))

  program
    .command('config-schema')
    .description('print the JSON schema of the configuration file, for editors')
    .action(() => {
      process.stdout.write(`${JSON.stringify(publishedSchema(), undefined, 2)}\n`)
    })

  addKeyCommands(program)
  addMetadataCommands(program)
  addAuditCommands(program)
  return program
}
