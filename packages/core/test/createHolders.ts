import type { Holder, TokenHoldersResponse } from '@headwater/contract'
import { numberedAddress, otherAddress } from './balances.ts'

/** A holder of a token. The default balance decreases with the index. */
export function holder(index: number, balance: number | string = 1_000_000 - index): Holder {
  return { wallet_address: numberedAddress(index), balance: String(balance) }
}

/** The indexes of holders. */
export const indexes = (rows: readonly Holder[] | undefined) =>
  rows?.map(({ wallet_address }) => Number(wallet_address))

/** The integers from `from` up to, excluding, `to`. */
export const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)

/** A listing of holders, largest first, whose cursors contain the position of a row. */
export function createHolders(count: number, largestPage = Infinity) {
  const service = {
    holders: Array.from({ length: count }, (_, index) => holder(index)),
    /** Resolves a cursor; null for the first page. */
    readCursor: (offset: string): string | null => offset,
    respond(url: string): TokenHoldersResponse {
      const { searchParams } = new URL(url, 'http://localhost')
      const offset = searchParams.get('offset')
      const from = offset === null ? null : service.readCursor(offset)
      const sorted = [...service.holders].sort(
        (a, b) =>
          Number(BigInt(b.balance) - BigInt(a.balance)) ||
          (a.wallet_address < b.wallet_address ? -1 : 1),
      )
      const rest = from === null ? sorted : sorted.filter((each) => cursorOf(each) > from)
      const page = rest.slice(0, Math.min(Number(searchParams.get('limit')), largestPage))
      return {
        token_address: otherAddress,
        chain_id: 1,
        holders: page,
        next_offset: page.length < rest.length ? cursorOf(page.at(-1)!) : null,
      }
    },
  }
  return service
}

/** A key that sorts as text in the order of the listing. */
function cursorOf({ balance, wallet_address }: Holder): string {
  return `${String(10n ** 30n - BigInt(balance)).padStart(31, '0')}${wallet_address}`
}
