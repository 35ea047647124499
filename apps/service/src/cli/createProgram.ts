import { type AddHelpTextContext, Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { loadConfig } from '../config/loadConfig.ts'
import { publishedSchema } from '../config/publishedSchema.ts'
import { addAuditCommands } from './addAuditCommands.ts'
import { addChainCommands } from './addChainCommands.ts'
import { addEstimateCommand } from './addEstimateCommand.ts'
import { addKeyCommands } from './addKeyCommands.ts'
import { addMetadataCommands } from './addMetadataCommands.ts'
import { addStartCommands } from './addStartCommands.ts'
import { type StoreOptions, withStoreOptions } from './commandOptions.ts'
import { printChecks } from './printChecks.ts'

/** The command line of the service. */
export function createProgram(): Command {
  const program = new Command('headwater')
    .description('Indexes EVM chains and serves the Headwater API.')
    .version(manifest.version, '-V, --version', 'print the version')
    .showHelpAfterError()
    .addHelpText('beforeAll', rejectUnknown)
    .addHelpText(
      'after',
      `
Examples:
  headwater --rpc http://127.0.0.1:8545   index the chain of a node, and serve it on port 8080
  headwater start                         start with headwater.config.json
  headwater start --help                  list the options of a command`,
    )

  addStartCommands(program)
  withStoreOptions(program.command('doctor'))
    .description('check configuration, store and nodes, and print the problems; changes nothing')
    .action(({ config, data }: StoreOptions) => printChecks(loadConfig(config, { data })))

  program
    .command('config-schema')
    .description('print the JSON schema of the configuration file, for editors')
    .action(() => {
      process.stdout.write(`${JSON.stringify(publishedSchema(), undefined, 2)}\n`)
    })

  addEstimateCommand(program)
  addChainCommands(program)
  addKeyCommands(program)
  addMetadataCommands(program)
  addAuditCommands(program)
  return program
}

/** Commander prints the help of the parent of a command that does not exist. */
function rejectUnknown({ command, error }: AddHelpTextContext): string {
  const [name] = command.args
  const isCommand = name !== undefined && name !== 'help' && !name.startsWith('-')
  if (isCommand && command.commands.length > 0 && !error) {
    command.error(`error: unknown command '${name}'`)
  }
  return ''
}
