import {
  tokenHolders,
  type TokenHoldersParameters,
  type TokenHoldersResponse,
} from '@headwater/contract'
import { ApiError } from '../ApiError.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { loadHead } from '../loadHead.ts'
import { onlyChain } from '../onlyChain.ts'
import { type HolderKey, type HolderRow, loadHolders } from './loadHolders.ts'
import { loadKnownToken } from './loadKnownToken.ts'
import { toHolder } from './toHolder.ts'

const { limit: page } = tokenHolders.paging

/** How long all holders take to be read hangs on how many there are. */
const RETRY_AFTER_SECONDS = 30

/**
 * Answers `tokenHolders` from the ledger at the chain's head block: ERC20 amounts, or how many tokens of an ERC721
 * contract each holder owns. Of a token that is read from the chain, the amounts that were read last; the answer names
 * the oldest block that one of the page was read at. A page is a range of one index, whichever page it is.
 *
 * @throws {ApiError} 404 for a contract that is no such token, 503 while the chain's first indexing runs, or the first
 *   reading of the token's holders.
 */
export async function handleTokenHolders(
  parameters: TokenHoldersParameters,
  context: HandlerContext,
): Promise<OperationResult<TokenHoldersResponse>> {
  const { readStore, cursors } = context
  const chain = onlyChain(context)
  const token = parameters.address.toLowerCase()
  const limit = Math.min(parameters.limit ?? page.default, page.maximum)
  const scope = [tokenHolders.name, chain.id, token]
  const after = parameters.offset
    ? (cursors.read(scope, parameters.offset) as HolderKey | undefined)
    : undefined

  const { head, holders } = await readStore(async (snapshot) => {
    const head = await loadHead(snapshot, chain)
    const known = await loadKnownToken(snapshot, chain.id, token)
    if (known?.standard !== 20 && known?.standard !== 721) {
      throw new ApiError(
        404,
        'TOKEN_NOT_FOUND',
        `Chain ${chain.id} has no ERC20 or ERC721 token ${token}`,
        { param: 'address' },
      )
    }
    if (!known.isRanked) {
      throw new ApiError(
        503,
        'HOLDERS_NOT_READ',
        `The amounts of ${token} are read from the chain, and those of some holders were not read yet`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    }
    // One more tells whether there is another page.
    const range = { chainId: chain.id, token, ...known, after, limit: limit + 1 }
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
    blocks: [{ chainId: chain.id, number: oldestBlock(shown, head.number) }],
  }
}

function oldestBlock(holders: readonly HolderRow[], head: number): number {
  return holders.reduce((oldest, { read_block }) => Math.min(oldest, read_block ?? head), head)
}
