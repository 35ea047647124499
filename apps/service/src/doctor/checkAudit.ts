import { formatAuditCoverage, loadAuditCoverage } from '../audit/loadAuditCoverage.ts'
import type { Config } from '../config/Config.ts'
import { type CheckResult, createResults } from './CheckResult.ts'
import { readStores } from './readStores.ts'

/** Reports how much of each ledger is audited. */
export async function checkAudit(config: Config): Promise<CheckResult[]> {
  const command = { type: 'audit-coverage' }
  const coverage = await readStores(config, command, 'chain_amounts', loadAuditCoverage)
  return coverage.map((chain) =>
    createResults(`chain ${chain.chainId}, audit`).ok(formatAuditCoverage(chain)),
  )
}
