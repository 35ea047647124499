/** What of an item only a transaction changes: which item it is, how much of it there is, since when. */
const facts = [
  'chain_id',
  'address',
  'amount',
  'contract_address',
  'token_id',
  'wallet_address',
  'balance',
  'first_acquired',
  'last_acquired',
  'has_initiated_transfer',
  'total_supply',
]

/** Whether a transaction may lie between two answers. Prices move by themselves, and with them the order of items. */
export function hasChanged(data: unknown, previous: unknown): boolean {
  return data !== previous && read(data) !== read(previous)
}

function read(answer: unknown): string {
  return Object.values(answer as object)
    .flatMap((value: unknown) => (Array.isArray(value) ? value : []))
    .map((item) => JSON.stringify(item, facts))
    .filter((item) => item !== '{}')
    .sort()
    .join()
}
