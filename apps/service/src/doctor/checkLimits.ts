import type { Config } from '../config/Config.ts'
import { loadNodeLimits } from '../discovery/NodeLimitStore.ts'
import { formatLimits } from '../rpc/transport/NodeLimits.ts'
import { type CheckResult, createResults } from './CheckResult.ts'
import { readStores } from './readStores.ts'

/** Reports the limits that the service found of its nodes, which it respects. */
export async function checkLimits(config: Config): Promise<CheckResult[]> {
  const found = await readStores(config, { type: 'node-limits' }, 'node_limits', loadNodeLimits)
  return found.flatMap(({ chainId, name, limits }) => {
    const text = formatLimits(limits)
    return text === undefined
      ? []
      : createResults(`chain ${chainId}, node ${name}, limits`).ok(`the service found: ${text}`)
  })
}
