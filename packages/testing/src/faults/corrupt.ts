import type { ObjectSchema } from '@headwater/contract/schemas'

/** Makes every second item malformed: alternately in an optional and in a required field. */
export function halfValid(items: readonly object[], { required = [] }: ObjectSchema): object[] {
  return items.map((item, index) => {
    if (index % 2 === 1) {
      return item
    }
    const names = Object.keys(item).filter((name) => required.includes(name) === (index % 4 === 2))
    // The last one, as the fields of the identity come first.
    const name = names.at(-1)
    return name === undefined ? item : { ...item, [name]: { malformed: true } }
  })
}

/** The rows of a page in reverse order, after the last row of the previous page. */
export function reordered<Row>(page: readonly Row[], previous: Row | undefined): Row[] {
  return [...(previous === undefined ? [] : [previous]), ...page.toReversed()]
}

/** The field `errors` of a response, for an item that could not be read. */
export function unreadable(item: object): object {
  const { chain_id, address } = item as { chain_id?: number; address?: string }
  return {
    error_message: 'Some balances could not be read',
    token_errors: [{ chain_id, address, description: 'The node did not respond' }],
  }
}
