import { fraction } from './hash.ts'
import type { World } from './World.ts'

/** Seconds between blocks. */
const blockTime = 12

/**
 * Adds blocks: time advances, so prices change, and each block transfers up to a hundredth of a balance between the wallets
 * `everyday` and `whale`.
 */
export function advanceWorld(world: World, blocks: number): void {
  const { ledger, seed, wallets } = world
  const addressOf = (name: string) => wallets.find((wallet) => wallet.name === name)?.address ?? ''
  const everyday = addressOf('everyday')
  const whale = addressOf('whale')
  const theirs = [...ledger.tokensOf(everyday)]
  for (let index = 0; index < blocks; index++) {
    world.block += 1
    world.now += blockTime
    const draw = (what: string) => fraction(`${seed}/${what}/${world.block}`)
    const token = theirs[Math.floor(draw('token') * theirs.length)]
    if (!token) {
      continue
    }
    const [from, to] = draw('way') < 0.5 ? [everyday, whale] : [whale, everyday]
    const parts = BigInt(1 + Math.floor(draw('part') * 1000))
    const amount = (ledger.amountOf(token, from) * parts) / 100_000n
    ledger.transfer(token, from, to, amount, world.now)
  }
}
