import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { formatReason } from '../formatReason.ts'
import type { ChainConfig, Config, FactsConfig, Role, StoreConfig } from './Config.ts'
import { ConfigError } from './ConfigError.ts'
import { encodedUrlHint, isDatabaseUrl, parseConfig, type ParsedConfig } from './parseConfig.ts'

/** The file of commands that do not name another one. */
export const defaultConfigFile = 'headwater.config.json'
const defaultDataFolder = 'headwater-data'

/** Options of the command line. */
export interface Overrides {
  readonly data?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly role?: string | undefined
}

/**
 * Reads the configuration. The command line takes precedence over the environment (`DATABASE_URL`, `DATABASE_REPLICA_URL`,
 * `DATABASE_LISTEN_URL`, `DATABASE_URL_<chain id>`, `HEADWATER_DATA`, `HEADWATER_PUBLIC_URL`, `HEADWATER_ROLE`, `HOST`, `PORT`,
 * `METRICS_HOST`, `METRICS_PORT`) over the file, over the defaults. A relative path in the file is resolved against the file's
 * folder, any other against the working directory.
 *
 * @throws {ConfigError} when the file cannot be read or a value is invalid; the message names it.
 */
export function loadConfig(
  file: string,
  overrides: Overrides = {},
  environment: NodeJS.ProcessEnv = process.env,
): Config {
  let text: string
  try {
    // Decoding it removes a byte order mark, which some editors write.
    text = new TextDecoder().decode(readFileSync(file))
  } catch (error) {
    throw new ConfigError(
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? `The configuration file ${file} does not exist; name another with --config, or write one with headwater init --rpc <url>`
        : `The configuration file ${file} cannot be read (${formatReason(error)}): permit this user to read it, or name another with --config`,
    )
  }
  return applyOverrides(parseConfig(text, file), dirname(file), overrides, environment)
}

/**
 * Reads where the store is. A service that was started with `--rpc` has no file: its store is the database of the environment, or
 * else the data folder, if that exists.
 *
 * @returns without chains where there is no file.
 * @throws {ConfigError} like {@link loadConfig}.
 */
export function loadStoreConfig(
  file: string,
  overrides: Pick<Overrides, 'data'> = {},
  environment: NodeJS.ProcessEnv = process.env,
): StoreConfig {
  if (file === defaultConfigFile && !existsSync(file)) {
    const databaseUrl = databaseFrom('DATABASE_URL', environment)
    const dataFolder = resolve(dataFrom(overrides, environment) ?? defaultDataFolder)
    if (databaseUrl !== undefined || existsSync(dataFolder)) {
      return { chains: [], dataFolder, ...(databaseUrl !== undefined && { databaseUrl }) }
    }
  }
  return loadConfig(file, overrides, environment)
}

/**
 * Applies the command line and the environment to a configuration.
 *
 * @param folder - what relative paths of the configuration are resolved against.
 * @throws {ConfigError} when a value is invalid; the message names it.
 */
export function applyOverrides(
  parsed: ParsedConfig,
  folder: string,
  overrides: Overrides,
  environment: NodeJS.ProcessEnv,
): Config {
  const databases = databasesFrom(parsed, environment)
  const addresses = addressesFrom(parsed, overrides, environment)
  const publicUrl = publicUrlFrom(environment['HEADWATER_PUBLIC_URL'] || parsed.publicUrl)
  const chains = chainsFrom(parsed, folder, environment)
  const placed = chains.find((chain) => chain.databaseUrl !== undefined)
  if (placed && databases.databaseUrl === undefined) {
    throw new ConfigError(
      `databaseUrl of chain ${placed.id} requires databaseUrl of the service, the PostgreSQL database with the API keys`,
    )
  }
  const givenFolder = dataFrom(overrides, environment)
  const dataFolder = givenFolder
    ? resolve(givenFolder)
    : resolve(folder, parsed.dataFolder ?? defaultDataFolder)
  return {
    chains,
    ...databases,
    ...addresses,
    compression: parsed.compression,
    ...(parsed.cacheMegabytes !== undefined && { cacheMegabytes: parsed.cacheMegabytes }),
    dataFolder,
    defaultRate: parsed.defaultRate,
    prices: parsed.prices,
    ...(parsed.facts && { facts: toFactsConfig(parsed.facts, folder, dataFolder, environment) }),
    role:
      roleFrom('--role', overrides.role) ??
      roleFrom('HEADWATER_ROLE', environment['HEADWATER_ROLE'] || undefined) ??
      parsed.role ??
      'all',
    media: {
      ...parsed.media,
      tokenLists: parsed.media.tokenLists.map((source) => tokenListFrom(source, folder)),
    },
    ...(publicUrl !== undefined && { publicUrl }),
  }
}

function databasesFrom(
  parsed: ParsedConfig,
  environment: NodeJS.ProcessEnv,
): Pick<Config, 'databaseUrl' | 'replicaUrl' | 'listenUrl'> {
  const databaseUrl = databaseFrom('DATABASE_URL', environment) ?? parsed.databaseUrl
  const replicaUrl = databaseFrom('DATABASE_REPLICA_URL', environment) ?? parsed.replicaUrl
  if (replicaUrl !== undefined && databaseUrl === undefined) {
    throw new ConfigError('replicaUrl requires databaseUrl, the primary of the replica')
  }
  const listenUrl = databaseFrom('DATABASE_LISTEN_URL', environment) ?? parsed.listenUrl
  if (listenUrl !== undefined && databaseUrl === undefined) {
    throw new ConfigError('listenUrl requires databaseUrl, the same database through a pooler')
  }
  return {
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(replicaUrl !== undefined && { replicaUrl }),
    ...(listenUrl !== undefined && { listenUrl }),
  }
}

function addressesFrom(
  parsed: ParsedConfig,
  overrides: Overrides,
  environment: NodeJS.ProcessEnv,
): Pick<Config, 'host' | 'port' | 'metricsHost' | 'metricsPort'> {
  const metricsPort =
    portFrom('METRICS_PORT', environment['METRICS_PORT'] || undefined) ?? parsed.metricsPort
  const metricsHost = environment['METRICS_HOST'] || parsed.metricsHost
  const host = overrides.host ?? (environment['HOST'] || parsed.host) ?? '127.0.0.1'
  const port =
    portFrom('--port', overrides.port) ??
    portFrom('PORT', environment['PORT'] || undefined) ??
    parsed.port ??
    8080
  if (port !== 0 && port === metricsPort && host === (metricsHost ?? host)) {
    throw new ConfigError(
      `metricsPort (or METRICS_PORT) and port are both ${port}: choose another metricsPort, or omit it to serve /ready and /metrics with the API`,
    )
  }
  return {
    host,
    port,
    ...(metricsPort !== undefined && { metricsPort }),
    ...(metricsHost !== undefined && { metricsHost }),
  }
}

function chainsFrom(
  { chains }: ParsedConfig,
  folder: string,
  environment: NodeJS.ProcessEnv,
): ChainConfig[] {
  return chains.map((parsed) => {
    const { source } = parsed
    const chain =
      source?.cryo === undefined
        ? parsed
        : { ...parsed, source: { cryo: resolve(folder, source.cryo) } }
    const url = findChainDatabase(chain.id, environment) ?? chain.databaseUrl
    return url === undefined ? chain : { ...chain, databaseUrl: url }
  })
}

/**
 * The database of a chain in the variable `DATABASE_URL_<chain id>`, also of a chain that is not configured, for commands.
 *
 * @throws {ConfigError} when it is not the URL of a PostgreSQL database.
 */
export function findChainDatabase(
  chainId: number,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  return databaseFrom(`DATABASE_URL_${chainId}`, environment)
}

function toFactsConfig(
  { s3, ...facts }: NonNullable<ParsedConfig['facts']>,
  folder: string,
  dataFolder: string,
  environment: NodeJS.ProcessEnv,
): FactsConfig {
  if (!/^[a-z0-9]+:\/\//i.test(facts.folder)) {
    if (s3) {
      throw new ConfigError('facts.s3 requires facts.folder to be s3://<bucket>/<prefix>')
    }
    return { ...facts, folder: resolve(folder, facts.folder) }
  }
  if (!/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9!_.*'()/=-]*)?$/.test(facts.folder)) {
    throw new ConfigError(
      `facts.folder must be a local folder or s3://<bucket>/<prefix>, not "${facts.folder}": buckets have 3 to 63 characters of a-z, 0-9, - and .`,
    )
  }
  const variable = environment['AWS_ENDPOINT_URL_S3'] || environment['AWS_ENDPOINT_URL']
  const { cacheFolder, cacheLimit, pathStyle, endpoint, region } = s3 ?? { cacheLimit: '20GB' }
  const isCompatible = (endpoint ?? variable) !== undefined
  // Other storages than AWS have a single region, whose name is this one where it matters at all.
  const anyRegion = isCompatible && !environment['AWS_REGION'] ? 'us-east-1' : undefined
  const signedRegion = region ?? anyRegion
  return {
    ...facts,
    s3: {
      ...(endpoint !== undefined && { endpoint }),
      ...(signedRegion !== undefined && { region: signedRegion }),
      pathStyle: pathStyle ?? isCompatible,
      cacheFolder: cacheFolder ? resolve(folder, cacheFolder) : join(dataFolder, 'facts'),
      cacheBytes: Number.parseInt(cacheLimit, 10) * (cacheLimit.endsWith('GB') ? 1e9 : 1e6),
    },
  }
}

function dataFrom(
  { data }: Pick<Overrides, 'data'>,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  return data ?? (environment['HEADWATER_DATA'] || undefined)
}

function databaseFrom(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const url = environment[name] || undefined
  if (url !== undefined && !/^postgres(ql)?:\/\//.test(url)) {
    throw new ConfigError(`${name} must begin with postgres:// or postgresql://`)
  }
  if (url !== undefined && !isDatabaseUrl(url)) {
    throw new ConfigError(`${name} is not a valid URL; ${encodedUrlHint}`)
  }
  return url
}

/** Leaves URLs and the bundled package as they are and resolves a path against the folder of the file. */
function tokenListFrom(source: string, folder: string): string {
  return /^(https?:\/\/|@)/i.test(source) ? source : resolve(folder, source)
}

/** Returns the parsed form, which headers can contain: URLs may have characters and line breaks that headers may not. */
function publicUrlFrom(text: string | undefined): string | undefined {
  if (text === undefined) {
    return undefined
  }
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(url.href) || hasUser(url)) {
    throw new ConfigError(
      'HEADWATER_PUBLIC_URL or publicUrl must be a URL that begins with http:// or https://, without user name, query and fragment',
    )
  }
  return url.href.replace(/\/+$/, '')
}

function hasUser({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}

function roleFrom(source: string, text: string | undefined): Role | undefined {
  if (text === undefined || text === 'all' || text === 'index' || text === 'serve') {
    return text
  }
  throw new ConfigError(`${source} must be all, index or serve, not "${text}"`)
}

function portFrom(source: string, text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined
  }
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new ConfigError(`${source} must be a whole number from 0 to 65535, not "${text}"`)
  }
  return port
}
