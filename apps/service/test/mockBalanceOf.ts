import type { Hex } from 'viem'
import { numberToHex } from 'viem'
import { FakeNodeError, type startFakeNode } from './startFakeNode.ts'

type FakeNode = Awaited<ReturnType<typeof startFakeNode>>

/** A call of `balanceOf`. */
interface BalanceOfCall {
  readonly token: Hex
  readonly holder: Hex
  readonly block: number
  /** The sum of the transfers up to the block, which a standard token returns. */
  readonly transferred: bigint
}

/** The result of the call: an amount, or raw return data; undefined to revert. */
type BalanceOfResult = bigint | Hex | undefined

/**
 * Lets a node respond to `balanceOf` at the hash of a known block, and fail at any other. By default a token returns the
 * sum of its transfers.
 */
export function mockBalanceOf(
  node: FakeNode,
  getBalance: (call: BalanceOfCall) => BalanceOfResult = ({ transferred }) => transferred,
): void {
  node.transformResult = (method, params, original) => {
    if (method !== 'eth_call') {
      return original
    }
    const [{ to, data }, { blockHash }] = params as [{ to: Hex; data: Hex }, { blockHash: Hex }]
    const blocks = node.chain.blocks.slice(0, node.chain.blocks.length - node.lag)
    const block = blocks.findIndex(({ hash }) => hash === blockHash)
    if (block < 0) {
      throw new FakeNodeError(-32000, 'header not found')
    }
    const holder: Hex = `0x${data.slice(-40)}`
    let transferred = 0n
    for (const { events } of blocks.slice(0, block + 1)) {
      for (const event of events) {
        if (event.type === 'transfer' && event.token === to) {
          if (event.to === holder) {
            transferred += event.amount
          }
          if (event.from === holder) {
            transferred -= event.amount
          }
        }
      }
    }
    const result = getBalance({ token: to, holder, block, transferred })
    if (result === undefined) {
      throw new FakeNodeError(3, 'execution reverted')
    }
    return typeof result === 'bigint' ? numberToHex(result, { size: 32 }) : result
  }
}
