import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { ConfigError } from '../config/ConfigError.ts'
import { detectConfig, parseDetected } from '../config/detectConfig.ts'
import { defaultConfigFile, loadConfig } from '../config/loadConfig.ts'
import { formatReason } from '../formatReason.ts'
import { formatRate } from '../keys/Rate.ts'
import { type StoreOptions, withStoreOptions } from './commandOptions.ts'
import { createLogger } from './createLogger.ts'
import { createStopSignal } from './createStopSignal.ts'
import { printIntroduction } from './printIntroduction.ts'
import { startService } from './startService.ts'
import { stopInTime } from './stopInTime.ts'

const rpcOption = '--rpc <url>'
/** With `--rpc`, someone is about to send the first request. */
const maxIndexDelayMs = 15_000
/** Shorter than the systemd unit and the containers wait for the end of the process. */
const stopTimeoutMs = 50_000

interface StartOptions extends StoreOptions {
  readonly rpc?: readonly string[]
  readonly port?: string
  readonly host?: string
  readonly role?: string
}

/** Adds `start`, which is the default command, and `init`. */
export function addStartCommands(program: Command): void {
  const start = program.command('start', { isDefault: true })
  withStoreOptions(start)
    .description('index chains and serve the API')
    .option(
      rpcOption,
      'JSON-RPC node to use without a configuration file; detects its chain, and issues a key; repeatable',
      appendUrl,
    )
    .option('--port <number>', 'port to listen on; 0 takes any free one (PORT)')
    .option('--host <name>', 'address to listen on (HOST)')
    .option('--role <role>', 'index, serve, or all, which does both (HEADWATER_ROLE)')
    // As the default command, it gets those that do not exist.
    .allowExcessArguments()
    .action(async ({ config, rpc, ...overrides }: StartOptions) => {
      if (start.args.length > 0) {
        program.error(`error: unknown command '${start.args[0]}'`)
      }
      if (rpc && start.getOptionValueSource('config') === 'cli') {
        throw new ConfigError('Give either --rpc or --config')
      }
      const loaded = rpc ? await detectConfig(rpc, overrides) : loadConfig(config, overrides)
      const logger = await createLogger()
      const stop = createStopSignal()
      const options = rpc && { onListening: printIntroduction, maxIndexDelayMs }
      await stopInTime(() => startService(loaded, logger, stop, options), stop, stopTimeoutMs)
    })

  program
    .command('init')
    .description('write the configuration that start --rpc uses to a file, to edit it')
    .requiredOption(rpcOption, 'JSON-RPC node; repeatable', appendUrl)
    .option('--config <file>', 'file to write', defaultConfigFile)
    .action(async ({ rpc, config }: { rpc: readonly string[]; config: string }) => {
      const { defaultRate, ...file } = await parseDetected(rpc)
      const text = JSON.stringify({ ...file, defaultRate: formatRate(defaultRate) }, undefined, 2)
      try {
        // URLs of nodes may contain secrets.
        writeFileSync(config, `${text}\n`, { flag: 'wx', mode: 0o600 })
      } catch (error) {
        const reason =
          (error as NodeJS.ErrnoException).code === 'EEXIST'
            ? 'exists already'
            : `cannot be written (${formatReason(error)})`
        throw new ConfigError(`${config} ${reason}; name another file with --config`)
      }
      const chains = file.chains.map(({ id, name }) => `${name} (${id})`).join(', ')
      process.stdout.write(
        `${config}: ${chains}\nCheck it with headwater doctor --config ${config}, and start the service with headwater start --config ${config}\n`,
      )
    })
}

function appendUrl(url: string, urls: readonly string[] = []): string[] {
  return [...urls, url]
}
