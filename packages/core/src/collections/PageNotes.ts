import type { BalancesErrors, Warning } from '@headwater/contract'

/** What pages tell beside their rows. */
export interface PageNotes {
  readonly warnings?: readonly Warning[]
  readonly errors?: BalancesErrors | undefined
}

/** A service that answers a dead cursor with its first page would list for ever. */
export const loops: PageNotes = {
  warnings: [
    { code: 'LISTING_LOOPS', message: 'The service repeats itself: the listing ends here.' },
  ],
}

/** What pages tell together: every warning once, and all that could not be read. */
export function addNotes(a: PageNotes, b: PageNotes): Required<PageNotes> {
  const warnings = [...(a.warnings ?? []), ...(b.warnings ?? [])]
  const token_errors = [a, b].flatMap(({ errors }) => errors?.token_errors ?? [])
  return {
    warnings: [...new Map(warnings.map((each) => [each.message, each])).values()],
    errors:
      a.errors && b.errors ? { ...b.errors, ...a.errors, token_errors } : (a.errors ?? b.errors),
  }
}
