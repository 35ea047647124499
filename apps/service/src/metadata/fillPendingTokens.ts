import type { Kysely } from 'kysely'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import type { ContractSource } from './callContracts.ts'
import { readTokenMetadata } from './readTokenMetadata.ts'
import type { TokenMetadata } from './TokenMetadata.ts'
import { writeTokenMetadata } from './writeTokenMetadata.ts'

const batchSize = 50
/** Tokens that failed before are asked one after the other, so that none fails in the company of another. */
const aloneSize = 5

/**
 * Asks the contracts of the tokens that wait longest, and writes what they tell. A token for which the node fails waits
 * on behind those never asked; it is given up when that happens again and again while the node answers for others.
 *
 * They are asked at the node's newest block, whose state pruned nodes have too, and by its hash: a node that is behind
 * refuses then, rather than answering that there is no contract.
 *
 * @returns how many tokens were answered; 0 when none waits.
 * @throws {NodeError} when the node answered for none of them; the tokens wait on.
 */
export async function fillPendingTokens(
  db: Kysely<Database>,
  node: ChainNode,
  chainId: number,
  signal?: AbortSignal,
): Promise<number> {
  const pending = () =>
    db
      .selectFrom('tokens')
      .select(['address', 'attempts'])
      .where('chain_id', '=', chainId)
      .where('metadata', '=', 'pending')
  if (!(await pending().limit(1).executeTakeFirst())) {
    return 0
  }
  const block = await node.getHead(signal)
  const waiting = await pending()
    .where('first_block', '<=', block.number)
    .orderBy('attempts')
    .orderBy('first_block')
    .limit(batchSize)
    .execute()

  const isNew = ({ attempts }: (typeof waiting)[number]) => attempts === 0
  const asked = await ask(node, waiting.filter(isNew), block, signal)
  for (const token of waiting.filter((token) => !isNew(token)).slice(0, aloneSize)) {
    asked.push(...(await ask(node, [token], block, signal)))
  }
  signal?.throwIfAborted()

  const answered = asked.flatMap(({ token, told }) => (told ? [{ token, ...told }] : []))
  const unanswered = asked.filter(({ told }) => !told)
  await writeTokenMetadata(
    db,
    chainId,
    answered,
    unanswered.map(({ token }) => token),
  )
  if (answered.length === 0 && unanswered[0]) {
    throw unanswered[0].error
  }
  return answered.length
}

/** What asking a token came to: one of the two. */
interface Asked {
  readonly token: string
  readonly told?: TokenMetadata | undefined
  readonly error?: unknown
}

async function ask(
  node: ContractSource,
  tokens: readonly { readonly address: Uint8Array }[],
  block: BlockRef,
  signal?: AbortSignal,
): Promise<Asked[]> {
  const addresses = tokens.map(({ address }) => toHex(address))
  const answers = await readTokenMetadata(node, addresses, block, signal)
  return addresses.map((token, index) => {
    const answer = answers[index]
    return answer instanceof NodeError ? { token, error: answer } : { token, told: answer }
  })
}
