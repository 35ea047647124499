import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config } from './Config.ts'
import { ConfigError } from './ConfigError.ts'
import { parseConfig } from './parseConfig.ts'

/** What the command line says; it wins over the environment, and that over the file. */
interface Overrides {
  readonly data?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
}

/**
 * Reads the configuration: command line over environment (`DATABASE_URL`, `HEADWATER_DATA`, `HOST`, `PORT`) over file
 * over defaults. A relative folder in the file counts from the file's folder, elsewhere from the working folder.
 *
 * @throws {ConfigError} when the file cannot be read or a value cannot be used; the message names it.
 */
export function loadConfig(
  file: string,
  overrides: Overrides = {},
  environment: NodeJS.ProcessEnv = process.env,
): Config {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : String(error)
    throw new ConfigError(`The configuration file ${file} ${reason}; name another with --config`)
  }
  const parsed = parseConfig(text, file)
  const outside = overrides.data ?? (environment['HEADWATER_DATA'] || undefined)
  const databaseUrl = environment['DATABASE_URL'] || parsed.databaseUrl
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    throw new ConfigError('DATABASE_URL must begin with postgres:// or postgresql://')
  return {
    chains: parsed.chains,
    host: overrides.host ?? (environment['HOST'] || parsed.host) ?? '127.0.0.1',
    port:
      portFrom('--port', overrides.port) ??
      portFrom('PORT', environment['PORT'] || undefined) ??
      parsed.port ??
      8080,
    dataFolder: outside
      ? resolve(outside)
      : resolve(dirname(file), parsed.dataFolder ?? 'headwater-data'),
    ...(databaseUrl && { databaseUrl }),
  }
}

function portFrom(source: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new ConfigError(`${source} must be a whole number from 0 to 65535, not "${text}"`)
  return port
}
