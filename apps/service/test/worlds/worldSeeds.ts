import type { VerifyLevel } from '../../src/rpc/verify/HashChecks.ts'

/** The seeds to run: `WORLD_SEEDS=20` runs 20 worlds, `WORLD_SEED=3` repeats one. */
export const worldSeeds: readonly string[] = chosen(process.env)

/** The seeds of the worlds that nodes respond for: one, unless the environment selects others. */
export const nodeWorldSeeds: readonly string[] = chosen({ WORLD_SEEDS: '1', ...process.env })

function chosen({ WORLD_SEED: one, WORLD_SEEDS: count = '2' }: NodeJS.ProcessEnv): string[] {
  return one ? [one] : Array.from({ length: Number(count) }, (_, index) => String(index + 1))
}

/** The verification of nodes in a world: `WORLD_VERIFY`, otherwise another one for each seed. */
export function getWorldVerify(seed: string): VerifyLevel {
  const choices = ['head', 'basic', 'receipts'] as const
  const chosen = process.env['WORLD_VERIFY']
  return choices.find((each) => each === chosen) ?? choices[Number(seed) % choices.length] ?? 'head'
}
