import type { Holder } from '@headwater/contract'
import type { HolderRow } from './loadHolders.ts'

/** The entry of an answer. */
export function toHolder(row: HolderRow): Holder {
  return {
    wallet_address: row.holder,
    balance: row.amount,
    ...(row.first_in_time !== null && { first_acquired: withOffset(row.first_in_time) }),
    has_initiated_transfer: row.has_initiated,
  }
}

/** ISO 8601 with the offset written out, as the specification has it of this field. */
function withOffset(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`
}
