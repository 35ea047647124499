import type { PhaseFigures, Traffic } from './Traffic.ts'

/** The head that the last responses may be behind: some polls of a machine that runs everything at once. */
const maxLagBlocks = 20

/**
 * Prints the responses of each phase, and what the drill requires of all of them.
 *
 * @param end - the head of the chain and the stored units at the end.
 * @returns whether everything required holds.
 */
export function printPhases(traffic: Traffic, end: { head: number; units: number }): boolean {
  const { phases, units, servedBlock } = traffic
  console.table(
    Object.fromEntries(
      phases.map((phase) => [
        phase.name,
        {
          requests: phase.requests,
          failed: count(phase),
          'failed %': Number(((100 * count(phase)) / phase.requests).toFixed(2)),
          'slowest ms': Math.round(phase.slowestMs),
          wrong: phase.wrong.length,
          reasons: [...phase.failures].map(([reason, times]) => `${reason} ${times}`).join(', '),
        },
      ]),
    ),
  )
  const wrong = phases.flatMap(({ wrong }) => wrong)
  const seconds = (performance.now() - (phases[0]?.startedAt ?? 0)) / 1000
  const lost = units - end.units
  const checks = [
    [`${wrong.length} wrong responses ${wrong.slice(0, 3).join('; ')}`, wrong.length === 0],
    [
      `${units} units of responses, ${end.units} stored: ${lost} lost of ${(units / seconds).toFixed(1)} per second`,
      lost <= units / seconds,
    ],
    [`block ${servedBlock} of ${end.head} was served last`, servedBlock >= end.head - maxLagBlocks],
  ] as const
  for (const [text, holds] of checks) {
    console.log(`${holds ? 'ok    ' : 'FAILED'} ${text}`)
  }
  return checks.every(([, holds]) => holds)
}

function count({ failures }: PhaseFigures): number {
  return [...failures.values()].reduce((sum, each) => sum + each, 0)
}
