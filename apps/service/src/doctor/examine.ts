import type { Config } from '../config/Config.ts'
import { checkContracts } from './checkContracts.ts'
import { checkNode } from './checkNode.ts'
import { checkStore } from './checkStore.ts'
import { type Finding, findingsOf } from './Finding.ts'

/** Looks at everything that the service needs and changes nothing. */
export async function examine(config: Config, now = new Date()): Promise<Finding[]> {
  const chains = config.chains.map(async (chain) => {
    const nodes = await Promise.all(
      chain.rpcUrls.map((endpoint) => checkNode(chain, endpoint, now)),
    )
    const isUsable = nodes.some((found) => found.every(({ level }) => level !== 'error'))
    return [...nodes.flat(), ...(isUsable ? await checkContracts(chain) : [])]
  })
  const [store, ...found] = await Promise.all([checkStore(config), ...chains])
  return [...checkConfig(config), ...store, ...found.flat()]
}

function checkConfig({ chains, host, publicUrl }: Config): Finding[] {
  const { ok, warning } = findingsOf('configuration')
  const findings = [ok(`${chains.length} ${chains.length === 1 ? 'chain' : 'chains'}`)]
  if (!chains.some(({ tags }) => tags.includes('default')))
    findings.push(
      warning('no chain carries the tag "default": requests that name no chain find none'),
    )
  for (const { id, startBlock } of chains)
    if (startBlock > 0)
      findings.push(
        warning(`chain ${id} starts at block ${startBlock}: what moved before is not counted`),
      )
  if (publicUrl === undefined && host !== '127.0.0.1' && host !== 'localhost')
    findings.push(
      warning('publicUrl is not set: URLs of images in answers name the address it listens on'),
    )
  return findings
}
