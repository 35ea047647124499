import { Ajv, type ErrorObject } from 'ajv'
import { isMemoryLimit, minMemory } from '../facts/isMemoryLimit.ts'
import { createLegacyDecoders, getOwnerFunctions } from '../indexing/decode/legacyCollections.ts'
import { parseRate, type Rate } from '../keys/Rate.ts'
import { everyNetwork } from '../media/NetworkPolicy.ts'
import { parseUntrustedUrl } from '../media/parseUntrustedUrl.ts'
import { factoryOptions, mapVenues } from '../pricing/venues/venues.ts'
import type { ChainConfig } from './Config.ts'
import { ConfigError } from './ConfigError.ts'
import { type ConfigFile, configSchema, patternDescriptions } from './configSchema.ts'
import { withPreset } from './withPreset.ts'

/** A validated configuration file with its defaults, before the environment is applied. */
export type ParsedConfig = Omit<ConfigFile, 'chains' | 'defaultRate'> & {
  chains: ChainConfig[]
  defaultRate: Rate
}

/** How often price feeds are read: as often as the window of prices has an effect. */
const feedIntervalSeconds = 30 * 60

/** How the user name and the password of an invalid URL may be corrected. */
export const encodedUrlHint =
  '%, #, / and ? in a user name or password are written as %25, %23, %2F and %3F'

const addressLists = [
  ...(['nativeAliases', 'stablecoins', 'quoteTokens', 'marketplaces', 'tokens'] as const),
  ...factoryOptions,
]

const validate = new Ajv({
  useDefaults: true,
  verbose: true,
  allowUnionTypes: true,
  // Compiling the schema of schemas would take half of the time; a test does it.
  meta: false,
  validateSchema: false,
  formats: { uri: isUrl, 'database-url': isDatabaseUrl },
}).compile(configSchema)

/**
 * Validates the text of a configuration file, fills in presets of known chains and defaults, and lower-cases addresses.
 *
 * @throws {ConfigError} when a field is invalid; the message names it.
 */
export function parseConfig(text: string, fileName: string): ParsedConfig {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // V8 quotes a part of the file, which may contain a secret.
    const detail = (error as Error).message.replace(/, (\.\.\.)?".*is not valid JSON$/s, '')
    throw new ConfigError(`${fileName} is not JSON: ${detail}`)
  }
  try {
    return parseValue(withoutNulls(withPresets(value)))
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`${fileName}: ${error.message}`) : error
  }
}

/** @throws {ConfigError} when a field is invalid; the message names it, without the file. */
function parseValue(value: unknown): ParsedConfig {
  if (!validate(value)) {
    const [first] = validate.errors as [ErrorObject]
    throw new ConfigError(formatError(first))
  }
  const seen = new Set<number>()
  for (const { id } of value.chains) {
    if (seen.has(id)) {
      throw new ConfigError(`duplicate chain id ${id}`)
    }
    seen.add(id)
  }
  const chains = value.chains.map(toChainConfig)
  for (const chain of chains) {
    const { id, legacyCollections } = chain
    const repeated = addressLists.find((name) => new Set(chain[name]).size < chain[name].length)
    if (repeated) {
      throw new ConfigError(
        `${repeated} of chain ${id} lists an address twice, in another case: remove one`,
      )
    }
    try {
      createLegacyDecoders(legacyCollections)
      getOwnerFunctions(legacyCollections)
    } catch (error) {
      throw new ConfigError(`legacyCollections of chain ${id}: ${(error as Error).message}`)
    }
  }
  requireMediaUrls(value.media)
  if (value.facts && !isMemoryLimit(value.facts.memoryLimit)) {
    throw new ConfigError(
      `facts.memoryLimit must be at least ${minMemory}, such as 1GB, not "${value.facts.memoryLimit}"`,
    )
  }
  return {
    ...value,
    chains,
    defaultRate: parseRate(value.defaultRate) as Rate,
  }
}

/** Whether it can be parsed, including a user name and password. */
export function isUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && !/%(?![0-9a-f]{2})/i.test(url.username + url.password)
}

/** Whether the driver of PostgreSQL can parse it. The host may be missing, or part of the query. */
export function isDatabaseUrl(text: string): boolean {
  return URL.canParse(text) || URL.canParse(text.replace('@/', '@host/'))
}

/**
 * The URLs of media are fetched like those of contracts, to which gateways are prefixes.
 *
 * @throws {ConfigError} when one can never be fetched.
 */
function requireMediaUrls(media: ConfigFile['media']): void {
  for (const option of ['ipfsGateways', 'arweaveGateways', 'tokenLists'] as const) {
    for (const [index, source] of media[option].entries()) {
      const problem = describeMediaUrl(source, option)
      if (problem !== undefined) {
        throw new ConfigError(`media.${option}.${index} cannot be used: ${problem}`)
      }
    }
  }
}

function describeMediaUrl(source: string, option: keyof ConfigFile['media']): string | undefined {
  if (option === 'tokenLists' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) {
    return undefined
  }
  if (option !== 'tokenLists' && /[?#]/.test(source)) {
    return 'The URL of a gateway is a prefix; remove its query and fragment'
  }
  try {
    parseUntrustedUrl(source, everyNetwork)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Removes properties that are null, also those that override a preset with null: they have their defaults. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutNulls)
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  const properties = Object.entries(value).filter(([, each]) => each !== null)
  return Object.fromEntries(properties.map(([name, each]) => [name, withoutNulls(each)]))
}

function withPresets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('chains' in value)) {
    return value
  }
  const { chains } = value
  return Array.isArray(chains) ? { ...value, chains: chains.map(withPreset) } : value
}

type ChainFile = ConfigFile['chains'][number]

function toChainConfig(file: ChainFile): ChainConfig {
  const { wrappedNative, blockTimeSeconds, index: _, ...chain } = file
  const lower = (list: string[]) => list.map((address) => address.toLowerCase())
  return {
    ...chain,
    history: resolveHistory(file),
    undoDepth: Math.max(chain.finalityDepth, chain.undoDepth ?? 4 * chain.finalityDepth),
    staleness: resolveStaleness(file),
    ...(wrappedNative && { wrappedNative: wrappedNative.toLowerCase() }),
    nativeAliases: lower(chain.nativeAliases),
    stablecoins: lower(chain.stablecoins),
    ...mapVenues((option) => lower(chain[option])),
    priceFeeds: chain.priceFeeds.map(({ token, address, heartbeatSeconds, everyBlocks }) => ({
      token: token.toLowerCase(),
      address: address.toLowerCase(),
      heartbeatSeconds,
      everyBlocks: everyBlocks ?? Math.max(1, Math.round(feedIntervalSeconds / blockTimeSeconds)),
    })),
    quoteTokens: lower(chain.quoteTokens),
    marketplaces: lower(chain.marketplaces),
    legacyCollections: chain.legacyCollections.map((collection) => ({
      ...collection,
      address: collection.address.toLowerCase(),
    })),
    tokens: lower(chain.tokens),
  }
}

/** With an index of requested tokens only, the chain itself is not indexed, and its nodes answer the rest. */
function resolveHistory({ id, history, index }: ChainFile): ChainConfig['history'] {
  if (index === 'requested' && history === 'index') {
    throw new ConfigError(
      `index "requested" of chain ${id} requires that its nodes answer the rest: set history to "node" or omit it`,
    )
  }
  return index === 'requested' ? 'node' : history
}

/** A head is confirmed with each poll, and a chain may be slow to produce the next block. */
function resolveStaleness(chain: ChainFile): ChainConfig['staleness'] {
  const { id, staleness, pollIntervalMs, blockTimeSeconds } = chain
  const {
    warnAfterSeconds = Math.max(30, 10 * blockTimeSeconds, (5 * pollIntervalMs) / 1000),
    rejectAfterSeconds = 10 * warnAfterSeconds,
  } = staleness
  if (rejectAfterSeconds < warnAfterSeconds) {
    throw new ConfigError(
      `staleness of chain ${id}: rejectAfterSeconds, ${rejectAfterSeconds}, is less than warnAfterSeconds, ${warnAfterSeconds}${staleness.warnAfterSeconds === undefined ? ' by default' : ''}`,
    )
  }
  if (rejectAfterSeconds * 1000 < pollIntervalMs) {
    throw new ConfigError(
      `staleness of chain ${id}: rejectAfterSeconds, ${rejectAfterSeconds}, is less than pollIntervalMs, ${pollIntervalMs}: each poll confirms the head, so that the chain would be unavailable between two of them`,
    )
  }
  return { warnAfterSeconds, rejectAfterSeconds }
}

function formatError(error: ErrorObject): string {
  const { instancePath, keyword, message, params, data, parentSchema } = error
  const field = instancePath.slice(1).replaceAll('/', '.')
  const join = (name: string) => (field ? `${field}.${name}` : name)
  if (keyword === 'required') {
    const missing = join(String(params['missingProperty']))
    if (!/^chains\.\d+\.(name|nativeCurrency)$/.test(missing)) {
      return `${missing} is missing`
    }
    const { id } = data as { readonly id: unknown }
    return Number.isSafeInteger(id) && Number(id) > 0
      ? `${missing} is missing: chain ${String(id)} has no preset, add its name and nativeCurrency`
      : `${join('id')} must be a whole number above 0, not ${JSON.stringify(id)}`
  }
  if (keyword === 'additionalProperties') {
    return `${join(String(params['additionalProperty']))} is not an option`
  }
  const requirement = Array.isArray(params['allowedValues'])
    ? `must be one of ${params['allowedValues'].map((each) => JSON.stringify(each)).join(', ')}`
    : keyword === 'format'
      ? `is not a valid URL; ${encodedUrlHint}`
      : keyword === 'minItems'
        ? 'is empty: add at least one'
        : /^(min|max)Properties$/.test(keyword)
          ? `must have one of ${Object.keys(parentSchema?.['properties'] as object).join(', ')}`
          : describePattern(params['pattern'], message)
  // URLs may contain secrets, and objects may contain URLs.
  const isSecret =
    /rpcUrls|databaseUrl|replicaUrl|listenUrl|media|source/.test(instancePath) ||
    typeof data === 'object'
  const value = JSON.stringify(data)
  return `${field || 'the file'} ${requirement}${isSecret || value.length > 80 ? '' : `, not ${value}`}`
}

function describePattern(pattern: unknown, message = 'is not valid'): string {
  const description = patternDescriptions[String(pattern)]
  return description === undefined ? message : `must be ${description}`
}
