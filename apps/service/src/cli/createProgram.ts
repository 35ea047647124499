import { Command } from 'commander'
import { type Logger, pino } from 'pino'
import { loadConfig } from '../config/loadConfig.ts'
import { publishedSchema } from '../config/publishedSchema.ts'
import { addAuditCommands } from './addAuditCommands.ts'
import { addChainCommands } from './addChainCommands.ts'
import { addKeyCommands } from './addKeyCommands.ts'
import { addMetadataCommands } from './addMetadataCommands.ts'
import { type StoreOptions, withStoreOptions } from './commandOptions.ts'
import { printChecks } from './printChecks.ts'
import { startService } from './startService.ts'

/** The command line of the service. */
export function createProgram(): Command {
  const program = new Command('headwater')
    .description('Indexes EVM chains and serves the Headwater API.')
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
    .description('check configuration, store and nodes, and print the problems; changes nothing')
    .action(({ config, data }: StoreOptions) => printChecks(loadConfig(config, { data })))

  program
    .command('config-schema')
    .description('print the JSON schema of the configuration file, for editors')
    .action(() => {
      process.stdout.write(`${JSON.stringify(publishedSchema(), undefined, 2)}\n`)
    })

  addChainCommands(program)
  addKeyCommands(program)
  addMetadataCommands(program)
  addAuditCommands(program)
  return program
}

/** Logs JSON lines to stderr, so that stdout contains the output of a command only. `LOG_LEVEL` sets the level. */
function createLogger(): Logger {
  const level = process.env['LOG_LEVEL'] || 'info'
  return pino(
    { level: level in pino.levels.values || level === 'silent' ? level : 'info' },
    pino.destination(2),
  )
}

/**
 * A signal that aborts on `SIGINT`, on `SIGTERM`, or when the IPC channel to the parent process closes. A second `SIGINT`
 * or `SIGTERM` terminates the process immediately.
 */
function createStopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.once('disconnect', stop)
  if (process.connected === false) {
    // It closed before the listener was added.
    stop()
  }
  return controller.signal
}
