import { parseArgs } from 'node:util'
import { StartError } from './StartError.ts'

/** What `npm start` can be told. */
export interface StackOptions {
  readonly apiPort: number
  readonly reactPort: number
  readonly vuePort: number
  readonly sveltePort: number
  /** Port of the page that links the three demos. */
  readonly landingPort: number
  readonly devnetPort: number
  /** Port of the second chain. */
  readonly devnetPort2: number
  /** Folder that keeps chains, store, key and logs. */
  readonly data: string
  readonly seed: string
}

const defaults = {
  'api-port': '4000',
  'react-port': '4001',
  'vue-port': '4002',
  'svelte-port': '4003',
  'landing-port': '4004',
  'devnet-port': '8545',
  'devnet-port-2': '8546',
  data: '.headwater',
  seed: 'headwater',
}

const help = `Starts two local chains, the service that indexes them, and the three demo pages.

Usage: npm start -- [options]

  --api-port <port>       API of the service            (${defaults['api-port']})
  --react-port <port>     React demo                    (${defaults['react-port']})
  --vue-port <port>       Vue demo                      (${defaults['vue-port']})
  --svelte-port <port>    Svelte demo                   (${defaults['svelte-port']})
  --landing-port <port>   page that links the demos     (${defaults['landing-port']})
  --devnet-port <port>    node of chain 31337           (${defaults['devnet-port']})
  --devnet-port-2 <port>  node of chain 31338           (${defaults['devnet-port-2']})
  --data <folder>         chains, store, key and logs   (${defaults.data})
  --seed <text>           what the chains' past grows from; another one wants another folder
  --help                  this text

Data outlives a restart; delete the folder to begin anew.`

/**
 * Reads the command line.
 *
 * @returns The options, or the help text when that was asked for.
 * @throws {StartError} naming the option that is wrong.
 */
export function readOptions(args: readonly string[]): StackOptions | string {
  let values: Partial<Record<keyof typeof defaults | 'help', string | boolean>>
  try {
    const text = { type: 'string' } as const
    values = parseArgs({
      args: [...args],
      options: {
        'api-port': text,
        'react-port': text,
        'vue-port': text,
        'svelte-port': text,
        'landing-port': text,
        'devnet-port': text,
        'devnet-port-2': text,
        data: text,
        seed: text,
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw new StartError(`${(error as Error).message} See npm start -- --help.`)
  }
  if (values.help) {
    return help
  }
  const text = (name: keyof typeof defaults) => String(values[name] ?? defaults[name])
  const port = (name: keyof typeof defaults) => {
    const value = Number(text(name))
    if (!Number.isInteger(value) || value < 1 || value > 65_535) {
      throw new StartError(`--${name} takes a port from 1 to 65535, not "${text(name)}".`)
    }
    return value
  }
  return {
    apiPort: port('api-port'),
    reactPort: port('react-port'),
    vuePort: port('vue-port'),
    sveltePort: port('svelte-port'),
    landingPort: port('landing-port'),
    devnetPort: port('devnet-port'),
    devnetPort2: port('devnet-port-2'),
    data: text('data'),
    seed: text('seed'),
  }
}
