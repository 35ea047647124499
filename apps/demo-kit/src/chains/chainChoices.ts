import type { Link } from '../links/Link.ts'

/** A chain to select. */
export interface KnownChain {
  readonly id: number
  readonly name: string
  readonly tags: readonly string[]
}

/** An option of the chain picker: a chain id or a tag. */
export interface ChainChoice {
  readonly value: number | string
  readonly label: string
  readonly isChosen: boolean
}

/**
 * The options of the chain picker: tags, then chains, including selected ones that are not configured.
 *
 * @param known - The configured chains.
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

/** Toggles a chain or a tag. A tag replaces the selection, chains accumulate, and an empty selection is the default. */
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
