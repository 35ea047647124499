import { parseQuantity } from '../methods/parseHex.ts'
import type { Deadline } from './Deadline.ts'
import type { NodeConnection } from './NodeConnection.ts'
import { NodeError } from './NodeError.ts'

export interface ChainIdOptions {
  /** The chain that the nodes have to serve; any is accepted where it is omitted. */
  readonly chainId?: number
  /** Called when a node is found to serve another chain, once until it serves the right one. */
  readonly onOtherChain?: (node: string, chainId: number) => void
}

/**
 * Verifies that a node serves a chain: before its first task, and again after it, or what a proxy forwards to, was unreachable,
 * since another one may run at its URL then. Blocks and amounts of several chains must never be mixed.
 */
export class ChainIdCheck {
  readonly #options: ChainIdOptions
  #isVerified: boolean

  constructor(options: ChainIdOptions) {
    this.#options = options
    this.#isVerified = options.chainId === undefined
  }

  /** @throws {NodeError} when the node serves another chain, or does not return which. */
  async verify(node: NodeConnection, deadline: Deadline): Promise<void> {
    const { chainId, onOtherChain } = this.#options
    if (this.#isVerified || chainId === undefined) {
      return
    }
    const served = parseQuantity(await node.request('eth_chainId', [], deadline))
    const { statistics } = node
    if (served === chainId) {
      this.#isVerified = true
      statistics.otherChain = undefined
      return
    }
    if (statistics.otherChain !== served) {
      statistics.otherChain = served
      onOtherChain?.(statistics.name, served)
    }
    const message = `The node serves chain ${served}, not ${chainId}: correct its rpcUrls and restart the service`
    throw new NodeError(message, { kind: 'other-chain', retryable: false })
  }

  recordFailure({ kind, mayExceedLimit }: NodeError): void {
    if (kind === 'connection' || (kind === 'http' && !mayExceedLimit)) {
      this.repeat()
    }
  }

  /** Verifies the node again before its next task. */
  repeat(): void {
    this.#isVerified = this.#options.chainId === undefined
  }
}
