import type { TokenStandard } from '../store/Database.ts'

/** The bit of a standard's events in the set of those that a contract emitted. */
export const eventBits = { 20: 1, 721: 2, 1155: 4 } as const

/** What a contract emitted and returned. */
export interface ContractBehaviour {
  /** The {@link eventBits} of its events. */
  readonly events: number
  /** null where `decimals()` returns no valid value. */
  readonly decimals: number | null
  /** Whether `supportsInterface` returns true for ERC721 and ERC1155. */
  readonly supports721: boolean
  readonly supports1155: boolean
  /** Whether `ownerOf` returns an address for a token id of its events. */
  readonly hasOwners: boolean
}

/** What a contract is. */
export interface ContractClass {
  readonly standard: TokenStandard
  /** Whether its events of ERC721 and ERC1155 are those of NFTs. */
  readonly has_collectibles: boolean
}

/**
 * Classifies a contract by its behaviour, as neither the first log nor `supportsInterface` alone suffices: the amount of an
 * ERC20 may be indexed, a contract like ERC404 is both, and any contract can emit any log.
 *
 * @returns undefined where only the logs decide.
 */
export function classifyContract(behaviour: ContractBehaviour): ContractClass | undefined {
  const { events, decimals, supports721, supports1155, hasOwners } = behaviour
  const emits = (standard: TokenStandard) => (events & eventBits[standard]) !== 0
  const isCollection = supports721 || supports1155
  // Some collections have `decimals()` with 0.
  const isFungible = isCollection
    ? emits(20) && decimals !== null && decimals > 0
    : (decimals !== null && !(hasOwners && decimals === 0)) || emits(20)
  if (isFungible) {
    return { standard: 20, has_collectibles: isCollection || hasOwners }
  }
  if (isCollection || emits(721) !== emits(1155)) {
    const is721 = supports721 && supports1155 ? emits(721) : isCollection ? supports721 : emits(721)
    return { standard: is721 ? 721 : 1155, has_collectibles: true }
  }
  return undefined
}
