import type { Hex } from 'viem'
import { numberToHex } from 'viem'
import { HandmadeNodeError, type startHandmadeNode } from './startHandmadeNode.ts'

type HandmadeNode = Awaited<ReturnType<typeof startHandmadeNode>>

/** Who is asked about, and when. */
interface Asked {
  readonly token: Hex
  readonly holder: Hex
  readonly block: number
  /** What the transfers up to the block sum up to: what an honest token answers. */
  readonly transferred: bigint
}

/** What a token answers: an amount, or hex as it is; undefined where it reverts. */
type Answer = bigint | Hex | undefined

/**
 * Has a node answer `balanceOf` at blocks that it knows, by their hash; at others it tells that it does not. Tokens are
 * honest unless told otherwise.
 */
export function answerBalanceOf(
  node: HandmadeNode,
  answer: (asked: Asked) => Answer = ({ transferred }) => transferred,
): void {
  node.distort = (method, params, truth) => {
    if (method !== 'eth_call') {
      return truth
    }
    const [{ to, data }, { blockHash }] = params as [{ to: Hex; data: Hex }, { blockHash: Hex }]
    const blocks = node.chain.blocks.slice(0, node.chain.blocks.length - node.lag)
    const block = blocks.findIndex(({ hash }) => hash === blockHash)
    if (block < 0) {
      throw new HandmadeNodeError(-32000, 'header not found')
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
    const told = answer({ token: to, holder, block, transferred })
    if (told === undefined) {
      throw new HandmadeNodeError(3, 'execution reverted')
    }
    return typeof told === 'bigint' ? numberToHex(told, { size: 32 }) : told
  }
}
