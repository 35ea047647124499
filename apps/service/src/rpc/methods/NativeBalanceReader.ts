import { type Deadline, startDeadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { createMismatch, NodeError } from '../transport/NodeError.ts'
import { getResult } from '../transport/parseResponses.ts'
import { verifyBalance } from '../verify/verifyBalance.ts'
import { verifyHeader } from '../verify/verifyHeader.ts'
import { batchAtBlock } from './batchAtBlock.ts'
import type { BlockRef } from './BlockHeader.ts'

const proofMethod = 'eth_getProof'
/** How often the proof of a balance is requested. */
const sampleIntervalMs = 10_000
/** A response waits no longer for a proof. */
const proofTimeoutMs = 1_000

/** Reads native balances of the nodes of one chain, and verifies a sample of them where nodes have `eth_getProof`. */
export class NativeBalanceReader {
  readonly #isSampled: boolean
  #sampledAt = -Infinity
  /** Whether a proof matched. Before that, the chain may have another kind of state. */
  #hasMatched = false

  /** @param isSampled - false to verify none. */
  constructor(isSampled: boolean) {
    this.#isSampled = isSampled
  }

  /**
   * Reads the balances of accounts, in few requests.
   *
   * @throws {NodeError} when one of them cannot be read, or a proof shows another balance.
   */
  async read(
    node: NodeConnection,
    addresses: readonly string[],
    block: BlockRef,
    deadline: Deadline,
  ): Promise<bigint[]> {
    const calls = addresses.map((subject) => ({ subject }))
    const responses = await batchAtBlock(node, 'eth_getBalance', calls, block, deadline)
    const balances = responses.map((response) => parseAmount(getResult(response)))
    const address = addresses[0]
    const balance = balances[0]
    if (address === undefined || balance === undefined || balances.length < addresses.length) {
      throw new NodeError('eth_getBalance: no response', { kind: 'malformed' })
    }
    const now = performance.now()
    const isDue = now - this.#sampledAt > sampleIntervalMs
    if (this.#isSampled && isDue && !node.capabilities.unsupportedMethods.has(proofMethod)) {
      this.#sampledAt = now
      if (await this.#contradicts(node, { address, balance }, block, deadline)) {
        // The next one, of another node or of this one again, is verified as well.
        this.#sampledAt = -Infinity
        throw createMismatch({
          kind: 'native_balance',
          block: block.number,
          detail: 'a native balance differs from its proof',
        })
      }
    }
    return balances
  }

  /** @returns false also when the node returns no proof, or no header that the block hash commits to. */
  async #contradicts(
    node: NodeConnection,
    account: { readonly address: string; readonly balance: bigint },
    block: BlockRef,
    { signal }: Deadline,
  ): Promise<boolean> {
    const deadline = startDeadline(proofTimeoutMs, signal)
    try {
      const [proven, found] = await node.requestMany(
        [
          { method: proofMethod, params: [account.address, [], { blockHash: block.hash }] },
          { method: 'eth_getBlockByHash', params: [block.hash, false] },
        ],
        deadline,
      )
      if (proven?.error) {
        if (proven.error.code === -32601) {
          node.capabilities.unsupportedMethods.add(proofMethod)
        }
        return false
      }
      const { accountProof } = (proven?.result ?? {}) as Record<string, unknown>
      const header = (found && !found.error ? (found.result ?? {}) : {}) as Record<string, unknown>
      const { hash, stateRoot } = header
      if (
        !Array.isArray(accountProof) ||
        hash !== block.hash ||
        typeof stateRoot !== 'string' ||
        verifyHeader(header) !== 'valid'
      ) {
        return false
      }
      const verdict = await verifyBalance(accountProof.map(String), { ...account, stateRoot })
      this.#hasMatched ||= verdict === 'valid'
      return verdict === 'invalid' || (verdict === 'other_state' && this.#hasMatched)
    } catch (error) {
      if (error instanceof NodeError && !signal?.aborted) {
        return false
      }
      throw error
    } finally {
      deadline.clear()
    }
  }
}

function parseAmount(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) {
    return BigInt(value)
  }
  throw new NodeError('The node returned an invalid amount', { kind: 'malformed' })
}
