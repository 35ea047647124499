import { historyGaps } from '../config/chainPresets.ts'
import type { Config } from '../config/Config.ts'
import { type CheckResult, createResults } from './CheckResult.ts'

/** Warns of valid settings that are probably not intended. */
export function checkConfig(config: Config): CheckResult[] {
  const { chains, host, media, publicUrl } = config
  const { ok, warning } = createResults('configuration')
  const results = [ok(`${chains.length} ${chains.length === 1 ? 'chain' : 'chains'}`)]
  if (!chains.some(({ tags }) => tags.includes('default'))) {
    results.push(
      warning('no chain has the tag "default": requests without chain_ids match no chain'),
    )
  }
  for (const { id, priceFeeds, stablecoins, startBlock } of chains) {
    const gap = historyGaps[id]
    if (gap !== undefined) {
      results.push(ok(`chain ${id}: ${gap}`))
    }
    if (stablecoins.length === 1 && priceFeeds.length === 0) {
      results.push(
        warning(
          `chain ${id}: a lost peg of its only stablecoin cannot be detected: list another one, or a price feed`,
        ),
      )
    }
    if (startBlock > 0) {
      results.push(
        warning(`chain ${id} starts at block ${startBlock}: earlier transfers are not counted`),
      )
    }
  }
  if (publicUrl === undefined && host !== '127.0.0.1' && host !== 'localhost') {
    results.push(warning('publicUrl is not set: image URLs in responses use the listen address'))
  }
  const unshared = describeUnsharedStore(config)
  if (unshared) {
    results.push(warning(unshared))
  }
  if (media.dangerouslyAllowPrivateNetworks) {
    results.push(
      warning(
        'media.dangerouslyAllowPrivateNetworks lets untrusted URLs reach this network: unset it',
      ),
    )
  }
  return results
}

/** Why the role needs another store; undefined where it does not. */
export function describeUnsharedStore({
  role,
  databaseUrl,
}: Pick<Config, 'role' | 'databaseUrl'>): string | undefined {
  return role === 'all' || databaseUrl !== undefined
    ? undefined
    : `the role ${role} needs a shared store, and the embedded database is limited to one process: set databaseUrl (DATABASE_URL)`
}
