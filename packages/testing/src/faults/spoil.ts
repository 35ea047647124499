import type { ObjectSchema } from '@headwater/contract/schemas'

/** The items with every second one malformed: in turn in a field it can do without, and in one that it cannot. */
export function halfValid(items: readonly object[], { required = [] }: ObjectSchema): object[] {
  return items.map((item, index) => {
    if (index % 2 === 1) {
      return item
    }
    const names = Object.keys(item).filter((name) => required.includes(name) === (index % 4 === 2))
    // The last: what an item is told apart by comes first.
    const name = names.at(-1)
    return name === undefined ? item : { ...item, [name]: { malformed: true } }
  })
}

/** The rows of a page that follows another, after they changed places: the last of the page before is among them again. */
export function reordered<Row>(page: readonly Row[], before: Row | undefined): Row[] {
  return [...(before === undefined ? [] : [before]), ...page.toReversed()]
}

/** Which item could not be read, as the field `errors` of an answer tells it. */
export function unreadable(item: object): object {
  const { chain_id, address } = item as { chain_id?: number; address?: string }
  return {
    error_message: 'Some balances could not be read',
    token_errors: [{ chain_id, address, description: 'The node did not answer' }],
  }
}
