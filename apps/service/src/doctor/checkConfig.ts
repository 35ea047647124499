import type { Config } from '../config/Config.ts'
import { type CheckResult, resultsOf } from './CheckResult.ts'

/** Looks at what the configuration allows and an operator may not mean. */
export function checkConfig(config: Config): CheckResult[] {
  const { chains, databaseUrl, host, media, publicUrl, role } = config
  const { ok, warning } = resultsOf('configuration')
  const findings = [ok(`${chains.length} ${chains.length === 1 ? 'chain' : 'chains'}`)]
  if (!chains.some(({ tags }) => tags.includes('default'))) {
    findings.push(
      warning('no chain carries the tag "default": requests that name no chain find none'),
    )
  }
  for (const { id, startBlock } of chains) {
    if (startBlock > 0) {
      findings.push(
        warning(`chain ${id} starts at block ${startBlock}: what moved before is not counted`),
      )
    }
  }
  if (publicUrl === undefined && host !== '127.0.0.1' && host !== 'localhost') {
    findings.push(
      warning('publicUrl is not set: URLs of images in answers name the address it listens on'),
    )
  }
  if (role !== 'all' && databaseUrl === undefined) {
    findings.push(
      warning(
        `the role ${role} shares a store, and the embedded database belongs to one process: set databaseUrl`,
      ),
    )
  }
  if (media.dangerouslyAllowPrivateNetworks) {
    findings.push(
      warning(
        'media.dangerouslyAllowPrivateNetworks lets URLs that strangers wrote reach this network: unset it',
      ),
    )
  }
  return findings
}
