/** The seeds to run: `WORLD_SEEDS=20` runs 20 worlds, `WORLD_SEED=3` repeats one. */
export const worldSeeds: readonly string[] = chosen(process.env)

function chosen({ WORLD_SEED: one, WORLD_SEEDS: count = '2' }: NodeJS.ProcessEnv): string[] {
  return one ? [one] : Array.from({ length: Number(count) }, (_, index) => String(index + 1))
}
