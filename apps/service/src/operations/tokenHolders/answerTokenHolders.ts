import {
  tokenHolders,
  type TokenHoldersParameters,
  type TokenHoldersResponse,
} from '@headwater/contract'
import type { Answer, AnswerContext } from '../Answer.ts'
import { loadHeads } from '../loadHeads.ts'
import { onlyChain } from '../onlyChain.ts'
import { readSnapshot } from '../readSnapshot.ts'
import { RefusalError } from '../RefusalError.ts'
import { type HolderKey, loadHolders } from './loadHolders.ts'
import { loadTokenStandard } from './loadTokenStandard.ts'
import { toHolder } from './toHolder.ts'

const { limit: page } = tokenHolders.list

/**
 * Answers `tokenHolders` from the ledger at the chain's head block: ERC20 amounts, or how many tokens of an ERC721
 * contract each holder owns. A page is a range of one index, whichever page it is.
 *
 * @throws {RefusalError} 404 for a contract that is no such token, 503 while the chain's first indexing runs.
 */
export async function answerTokenHolders(
  parameters: TokenHoldersParameters,
  context: AnswerContext,
): Promise<Answer<TokenHoldersResponse>> {
  const { db, cursors } = context
  const chain = onlyChain(context)
  const token = parameters.address.toLowerCase()
  const limit = Math.min(parameters.limit ?? page.default, page.maximum)
  const scope = [tokenHolders.name, chain.id, token]
  const after = parameters.offset
    ? (cursors.read(scope, parameters.offset) as HolderKey | undefined)
    : undefined

  const { head, holders } = await readSnapshot(db, async (snapshot) => {
    const head = (await loadHeads(snapshot, [chain])).get(chain.id)
    const standard = await loadTokenStandard(snapshot, chain.id, token)
    if (standard !== 20 && standard !== 721)
      throw new RefusalError(
        404,
        'TOKEN_NOT_FOUND',
        `Chain ${chain.id} has no ERC20 or ERC721 token ${token}`,
        { param: 'address' },
      )
    // One more tells whether there is another page.
    const range = { chainId: chain.id, token, standard, after, limit: limit + 1 }
    return { head, holders: await loadHolders(snapshot, range) }
  })

  const shown = holders.slice(0, limit)
  const last = shown.at(-1)
  return {
    body: {
      token_address: token,
      chain_id: chain.id,
      holders: shown.map(toHolder),
      next_offset:
        last && holders.length > limit
          ? cursors.write(scope, [last.amount, last.holder] satisfies HolderKey)
          : null,
    },
    blocks: head ? [{ chainId: chain.id, number: head.number }] : [],
  }
}
