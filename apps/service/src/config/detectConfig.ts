import { ChainNode } from '../rpc/ChainNode.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { Config } from './Config.ts'
import { ConfigError } from './ConfigError.ts'
import { applyOverrides, type Overrides } from './loadConfig.ts'
import { encodedUrlHint, isUrl, parseConfig, type ParsedConfig } from './parseConfig.ts'
import { describeChain } from './withPreset.ts'

const timeoutMs = 10_000
/** For chains that viem does not define; most of them have it. */
const defaultCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }

/**
 * Creates a configuration for nodes: requests the chain id of each, and applies the presets of these chains.
 *
 * @param rpcUrls - JSON-RPC nodes over HTTP, of one chain or several.
 * @throws {ConfigError} when a URL is invalid, or a node does not respond.
 */
export async function detectConfig(
  rpcUrls: readonly string[],
  overrides: Overrides = {},
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Config> {
  return applyOverrides(await parseDetected(rpcUrls), process.cwd(), overrides, environment)
}

/** The configuration file that {@link detectConfig} corresponds to, with all defaults. */
export async function parseDetected(rpcUrls: readonly string[]): Promise<ParsedConfig> {
  const invalid = rpcUrls.findIndex((url) => !/^https?:\/\//i.test(url) || !isUrl(url))
  if (invalid !== -1) {
    // It may contain a secret.
    throw new ConfigError(
      `--rpc must be a URL that begins with http:// or https:// (number ${invalid + 1} of ${rpcUrls.length}); ${encodedUrlHint}`,
    )
  }
  const ids = await Promise.all(rpcUrls.map(detectChainId))
  const urlsById = Map.groupBy(rpcUrls, (_, index) => ids[index] as number)
  const chains = [...urlsById].map(([id, urls]) => ({
    id,
    rpcUrls: urls,
    ...(!describeChain(id) && { name: `Chain ${id}`, nativeCurrency: defaultCurrency }),
  }))
  return parseConfig(JSON.stringify({ chains }), '--rpc')
}

async function detectChainId(rpcUrl: string): Promise<number> {
  const node = new ChainNode([rpcUrl])
  try {
    return await node.getChainId(AbortSignal.timeout(timeoutMs))
  } catch (error) {
    const host = new URL(rpcUrl).host
    const reason =
      error instanceof NodeError ? error.message : `no response within ${timeoutMs / 1000} s`
    throw new ConfigError(
      `--rpc: the node ${host} does not return its chain id (${reason}): check its URL and that it runs`,
      { cause: error },
    )
  }
}
