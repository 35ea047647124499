import type { Link } from '../links/Link.ts'
import type { KnownChain } from './KnownChain.ts'

/** One of the choices of the chain picker: a chain by its id, or those with a tag. */
export interface ChainChoice {
  readonly value: number | string
  readonly label: string
  readonly isChosen: boolean
}

/**
 * The choices of the chain picker: tags, then chains. What is chosen by hand and not known is among them.
 *
 * @param known - The chains that the page was told of.
 * @param chosen - The chains of the link.
 */
export function chainChoices(
  known: readonly KnownChain[],
  chosen: Link['chains'],
): readonly ChainChoice[] {
  const tags = new Set(['default', ...known.flatMap((chain) => chain.tags)])
  const names = new Map(known.map(({ id, name }) => [id, name]))
  for (const each of chosen) {
    if (typeof each === 'string') {
      tags.add(each)
    } else if (!names.has(each)) {
      names.set(each, `Chain ${each}`)
    }
  }
  const isChosen = (value: number | string) =>
    chosen.includes(value) || (value === 'default' && chosen.length === 0)
  return [
    ...[...tags].map((value) => ({
      value,
      label: value === 'default' ? 'All by default' : `All “${value}”`,
      isChosen: isChosen(value),
    })),
    ...[...names].map(([value, label]) => ({ value, label, isChosen: isChosen(value) })),
  ]
}

/** The chains of the link after a choice was made: a tag stands alone, chains add up, and none of them is the default. */
export function toggleChain(chosen: Link['chains'], value: number | string): Link['chains'] {
  if (value === 'default') {
    return []
  }
  if (typeof value === 'string') {
    return chosen.includes(value) ? [] : [value]
  }
  const chains = chosen.filter((each) => typeof each === 'number')
  return chains.includes(value) ? chains.filter((each) => each !== value) : [...chains, value]
}
