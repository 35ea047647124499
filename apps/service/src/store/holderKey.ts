import { type RawBuilder, sql } from 'kysely'

/**
 * The part of an address that the index of balances by holder contains: its last nine bytes, so that an entry with the
 * token has 24 bytes instead of 40. They distinguish addresses as well as all twenty, except those that someone makes with
 * equal ends, so that a query compares whole addresses too.
 */
const key = (holder: RawBuilder<unknown>) => sql`substr(${holder}, 12)`

/** Where the key begins in the hex of an address with `0x`. */
export const holderKeyOffset = 24

/** The columns of the index of a chain's balances by holder. */
export const holderIndex = '(substr(holder, 12), token)'

/** Whether a column of balances is a holder, by that index. Both are `bytea`. */
export function isHolder(
  column: RawBuilder<unknown>,
  holder: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`(${key(column)} = ${key(holder)} and ${column} = ${holder})`
}

/**
 * The first two bytes of an address as a number: the index of balances by rank divides the holders of a rank by it, so
 * that those after an address are found without reading all, also where a million holders have equal amounts.
 */
export function holderBucket(holder: RawBuilder<unknown>): RawBuilder<number> {
  return sql`((get_byte(${holder}, 0) << 8 | get_byte(${holder}, 1)) - 32768)::smallint`
}

/** The columns of the index of a chain's balances by rank. */
export const rankIndex =
  '(token, rank desc, (((get_byte(holder, 0) << 8 | get_byte(holder, 1)) - 32768)::smallint))'
