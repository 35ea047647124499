import { Command, InvalidArgumentError } from 'commander'
import { type BindingName, bindings } from '../bindings.ts'

type PortKey = `${'api' | BindingName | 'landing' | 'devnet'}Port` | 'devnetPort2'

interface PortOption {
  /** Name in {@link StackOptions}. */
  readonly key: PortKey
  readonly flag: string
  /** What listens on the port. */
  readonly use: string
  readonly default: number
}

/** The options of `npm start` that set a port. */
export const portOptions: readonly PortOption[] = [
  { key: 'apiPort', flag: '--api-port', use: 'API', default: 4000 },
  ...bindings.map(({ name, title }, index): PortOption => ({
    key: `${name}Port`,
    flag: `--${name}-port`,
    use: `${title} demo`,
    default: 4001 + index,
  })),
  { key: 'landingPort', flag: '--landing-port', use: 'landing page', default: 4004 },
  { key: 'devnetPort', flag: '--devnet-port', use: 'node of chain 31337', default: 8545 },
  { key: 'devnetPort2', flag: '--devnet-port-2', use: 'node of chain 31338', default: 8546 },
]

/** The options of `npm start`. */
export interface StackOptions extends Readonly<Record<PortKey, number>> {
  /** Folder of chains, database, key and logs. */
  readonly data: string
  /** Seed of the generated history of the chains. */
  readonly seed: string
}

/** The command line of `npm start`. */
export function createCommand(): Command {
  const command = new Command('npm start --')
    .description('Starts two local chains, the service that indexes them, and the demo pages.')
    .showHelpAfterError('Run npm start -- --help for the options.')
    .addHelpText('after', '\nData survives a restart; delete the folder to start over.')
  for (const { flag, use, default: port } of portOptions) {
    command.option(`${flag} <port>`, `port of the ${use}`, parsePort, port)
  }
  return command
    .option('--data <folder>', 'folder of chains, database, key and logs', '.headwater')
    .option(
      '--seed <text>',
      "seed of the chains' history; another seed requires another folder",
      'headwater',
    )
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new InvalidArgumentError('It must be a port from 1 to 65535.')
  }
  return port
}
