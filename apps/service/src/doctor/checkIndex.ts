import type { ChainConfig, Config } from '../config/Config.ts'
import { describeHold } from '../repair/describeHold.ts'
import { type IndexState, loadIndexStates } from '../repair/loadIndexStates.ts'
import { describeSilence } from '../store/ChainStatus.ts'
import { type CheckResult, createResults } from './CheckResult.ts'
import { readStores } from './readStores.ts'

/**
 * Reports how far chains are indexed, and why one is not available. Nothing of it is an error, as the service works once it is
 * started with a corrected configuration, or continues by itself.
 */
export async function checkIndex(config: Config): Promise<CheckResult[]> {
  const states = await readStores(config, { type: 'index-states' }, 'indexers', loadIndexStates)
  // The rows of an earlier index are not served.
  const indexed = config.chains.filter(({ history }) => history !== 'node')
  return indexed.flatMap((chain) => {
    const state = states.find(({ chainId }) => chainId === chain.id)
    return state === undefined ? [] : [describe(chain, state)]
  })
}

function describe({ id, staleness }: ChainConfig, state: IndexState): CheckResult {
  const { ok, warning } = createResults(`chain ${id}, index`)
  const { hold, stoppedReason, failure, unconfirmedSeconds, isSynced } = state
  if (hold !== null && hold !== 'detached') {
    return warning(`is ${describeHold(id, hold)}`)
  }
  if (stoppedReason !== null) {
    return warning(`is stopped: ${stoppedReason}`)
  }
  const silence = describeSilence(state.unreportedSeconds)
  if (silence !== undefined) {
    return warning(silence)
  }
  const because = failure === null ? '' : ` (${failure})`
  if (unconfirmedSeconds !== null && unconfirmedSeconds > staleness.warnAfterSeconds) {
    return warning(
      `no node has confirmed its head for ${unconfirmedSeconds} s${because}: check that a process that indexes it runs, and its nodes`,
    )
  }
  if (failure !== null) {
    return warning(
      `is failing, and retries${because}: check the log of the process that indexes it, and its nodes`,
    )
  }
  const indexed = state.indexedBlock ?? 'none'
  const head = state.headBlock ?? 'unknown'
  return ok(isSynced ? `is complete up to block ${indexed}` : `is at block ${indexed} of ${head}`)
}
