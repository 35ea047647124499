import { createLruCache } from '../../createLruCache.ts'
import { type FoundCollectible, getCollectibleKey } from '../../discovery/Findings.ts'
import type { HeadTrail } from '../../discovery/HeadTrail.ts'
import type { Head } from '../../store/Head.ts'
import { msPerMinute } from '../../time.ts'

/**
 * NFTs that wallets do not hold, or whose contract returns neither an owner nor a balance. They are read again after this time,
 * after a reorg, or after the next transfer.
 */
const maxNotHeld = 200_000
const notHeldMs = 10 * msPerMinute

/** Caches reads of NFTs that listings do not contain, so that each response does not repeat them. */
export class CollectibleReadCache {
  readonly #trail: Pick<HeadTrail, 'extends'>
  /** The latest block at which a wallet did not hold an NFT. */
  readonly #notHeld = createLruCache<string, string>(maxNotHeld, {
    ttl: notHeldMs,
    noUpdateTTL: true,
  })

  constructor(trail: Pick<HeadTrail, 'extends'>) {
    this.#trail = trail
  }

  /** NFTs that a wallet did not hold at a block that a head extends, and did not receive since. */
  findNotHeld(
    wallet: string,
    collectibles: readonly FoundCollectible[],
    head: Head,
  ): ReadonlySet<FoundCollectible> {
    const isExtended = new Map<string, boolean>()
    const notHeld = collectibles.filter((found) => {
      const hash = this.#notHeld.get(`${wallet}/${getTransferKey(found)}`)
      if (hash === undefined) {
        return false
      }
      const extended = isExtended.get(hash) ?? this.#trail.extends(head.hash, hash)
      isExtended.set(hash, extended)
      return extended
    })
    this.markNotHeld(wallet, notHeld, head)
    return new Set(notHeld)
  }

  /** @param head - the block at which they were read. */
  markNotHeld(wallet: string, collectibles: readonly FoundCollectible[], head: Head): void {
    for (const found of collectibles) {
      // A transfer after this block may be known from a later head.
      if (found.lastIn && found.lastIn.number <= head.number) {
        this.#notHeld.set(`${wallet}/${getTransferKey(found)}`, head.hash)
      }
    }
  }
}

function getTransferKey(found: FoundCollectible): string {
  return `${getCollectibleKey(found)}/${found.lastIn?.number}`
}
