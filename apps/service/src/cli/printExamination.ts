import { CommandError } from '../commands/CommandError.ts'
import type { Config } from '../config/Config.ts'
import { runChecks } from '../doctor/runChecks.ts'

const marks = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' }

/**
 * Prints what is found of configuration, store and nodes, a line each.
 *
 * @throws {CommandError} when something will not work.
 */
export async function printExamination(config: Config): Promise<void> {
  const findings = await runChecks(config)
  for (const { level, subject, message } of findings) {
    process.stdout.write(`${marks[level]}  ${subject}: ${message}\n`)
  }
  const errors = findings.filter(({ level }) => level === 'error').length
  if (errors > 0) {
    throw new CommandError(
      `${errors} ${errors === 1 ? 'error' : 'errors'}; the lines above say more`,
    )
  }
}
