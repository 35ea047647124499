/** Which worlds to run: `WORLD_SEEDS=20` runs so many, `WORLD_SEED=3` one again. */
export const worldSeeds: readonly string[] = chosen(process.env)

function chosen({ WORLD_SEED: one, WORLD_SEEDS: count = '2' }: NodeJS.ProcessEnv): string[] {
  return one ? [one] : Array.from({ length: Number(count) }, (_, index) => String(index + 1))
}
