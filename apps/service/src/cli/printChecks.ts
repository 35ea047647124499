import { CommandError } from '../commands/CommandError.ts'
import type { Config } from '../config/Config.ts'
import { runChecks } from '../doctor/runChecks.ts'

const marks = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' }

/**
 * Runs the checks and prints one line for each result.
 *
 * @throws {CommandError} when a check failed.
 */
export async function printChecks(config: Config): Promise<void> {
  const nodes = config.chains.reduce((sum, { rpcUrls }) => sum + rpcUrls.length, 0)
  process.stderr.write(
    `Checking the configuration, the store and ${nodes} ${nodes === 1 ? 'node' : 'nodes'} …\n`,
  )
  const results = await runChecks(config)
  for (const { level, subject, message } of results) {
    process.stdout.write(`${marks[level]}  ${subject}: ${message}\n`)
  }
  const errors = results.filter(({ level }) => level === 'error').length
  if (errors > 0) {
    throw new CommandError(`${errors} ${errors === 1 ? 'error' : 'errors'}; see the lines above`)
  }
}
