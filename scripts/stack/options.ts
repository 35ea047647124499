import { Command, InvalidArgumentError } from 'commander'
import { type BindingName, bindings } from '../bindings.ts'

type PortKey = `${'api' | BindingName | 'landing' | 'devnet'}Port` | `devnetPort${2 | 3}`

interface PortOption {
  /** Name in {@link StackOptions}. */
  readonly key: PortKey
  readonly flag: string
  /** What listens on the port. */
  readonly use: string
  readonly default: number
}

/** The chain that is still being indexed when `npm start` is ready. */
export const longChainId = 31_339

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
  { key: 'devnetPort3', flag: '--devnet-port-3', use: 'node of chain 31339', default: 8547 },
]

/** The options of `npm start`. */
export interface StackOptions extends Readonly<Record<PortKey, number>> {
  /** Folder of chains, database, key and logs. */
  readonly data: string
  /** Blocks in the past of the third chain; 0 without that chain. */
  readonly longBlocks: number
  /** Seed of the generated history of the chains. */
  readonly seed: string
}

/** The command line of `npm start`. */
export function createCommand(): Command {
  const command = new Command('npm start --')
    .description('Starts three local chains, the service that indexes them, and the demo pages.')
    .showHelpAfterError('Run npm start -- --help for the options.')
    .addHelpText('after', '\nData survives a restart; delete the folder to start over.')
  for (const { flag, use, default: port } of portOptions) {
    command.option(`${flag} <port>`, `port of the ${use}`, parsePort, port)
  }
  return command
    .option('--data <folder>', 'folder of chains, database, key and logs', '.headwater')
    .option(
      '--long-blocks <count>',
      'blocks in the past of chain 31339, which is indexed while the demos show it; 0 leaves it out',
      parseCount,
      60_000,
    )
    .option(
      '--seed <text>',
      "seed of the chains' history; another seed requires another folder",
      'headwater',
    )
}

function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new InvalidArgumentError('It must be an integer of at least 0.')
  }
  return count
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new InvalidArgumentError('It must be a port from 1 to 65535.')
  }
  return port
}
