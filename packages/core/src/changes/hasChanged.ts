import type { BalancesResponse } from '@headwater/contract'
import { isSameToken, type TokenReference } from '../amounts/isSameToken.ts'

/**
 * Limits the changes that end a wait.
 *
 * @example
 * import { type ChangeScope, parseAmount } from '@headwater/core'
 * const halfAnEther: ChangeScope = {
 *   token: { chainId: 1, address: 'native' },
 *   minDelta: parseAmount('0.5', 18),
 * }
 */
export interface ChangeScope {
  /**
   * Only changes of this token count; for an NFT collection, those of all its items. Default: every item of the response.
   */
  readonly token?: TokenReference | undefined
  /**
   * Minimum change of an amount in either direction, in smallest units: a bigint or a decimal integer, such as
   * `parseAmount('1.5', 18)`. Other fields do not count then. For a token whose amounts change by themselves, such as stETH.
   * Compared item by item with the initial response; a missing item has 0. Default: any change.
   */
  readonly minDelta?: bigint | string | undefined
}

interface Item {
  readonly chain_id?: number
  readonly address?: string
  readonly contract_address?: string
  readonly amount?: string
  readonly balance?: string
  readonly total_supply?: string
}

/** Fields that identify an item. */
const identityFields = ['chain_id', 'address', 'contract_address', 'token_id', 'wallet_address']

/**
 * Fields of an item that only a transaction changes: amount and time of acquisition. Without `identityFields`, as bundlers
 * keep an unused constant with a spread.
 */
const transactionFields = [
  'amount',
  'balance',
  'first_acquired',
  'last_acquired',
  'has_initiated_transfer',
  'total_supply',
]

/** Whether a transaction may have occurred between two responses. Prices, and with them the order of items, change anyway. */
export function hasChanged(
  data: unknown,
  previous: unknown,
  { token, minDelta }: ChangeScope = {},
): boolean {
  if (data === previous) {
    return false
  }
  const unread = [data, previous].flatMap(getUnread)
  const isRead = ({ chain_id, address }: Item) =>
    !unread.some((each) => each.chain_id === chain_id && (each.address ?? address) === address)
  const items = getItems(data, token).filter(isRead)
  const previousItems = getItems(previous, token).filter(isRead)
  if (minDelta === undefined) {
    return serialize(items) !== serialize(previousItems)
  }
  const deltas = new Map<string, bigint>()
  const add = (item: Item, sign: bigint) => {
    const key = JSON.stringify(item, identityFields)
    const amount = BigInt(item.amount ?? item.balance ?? item.total_supply ?? 0)
    deltas.set(key, (deltas.get(key) ?? 0n) + sign * amount)
  }
  items.forEach((item) => add(item, 1n))
  previousItems.forEach((item) => add(item, -1n))
  const min = BigInt(minDelta)
  return [...deltas.values()].some((delta) => delta !== 0n && (delta < 0n ? -delta : delta) >= min)
}

/** The items of a response, or those of a token. */
function getItems(response: unknown, token: TokenReference | undefined): Item[] {
  const { contract_address } = response as Item
  const items = Object.entries(response as object).flatMap(([name, value]: [string, unknown]) =>
    Array.isArray(value) && name !== 'warnings' ? (value as Item[]) : [],
  )
  return items.filter((item) => {
    const address = item.address ?? item.contract_address ?? contract_address
    // Holders are all of one token.
    const isScoped = token && item.chain_id !== undefined && address !== undefined
    return !isScoped || isSameToken({ chain_id: item.chain_id, address }, token)
  })
}

/** What a response could not read: a token, or a whole chain. */
function getUnread(response: unknown): Item[] {
  const { chain_errors = [], token_errors = [] } = (response as BalancesResponse).errors ?? {}
  return [...chain_errors.map(({ chain_id }) => ({ chain_id })), ...token_errors]
}

function serialize(items: readonly Item[]): string {
  const fields = [...identityFields, ...transactionFields]
  return items
    .map((item) => JSON.stringify(item, fields))
    .filter((item) => item !== '{}')
    .sort()
    .join()
}
