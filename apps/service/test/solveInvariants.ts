/** What is wanted of a pool, in the unit of its invariant. */
interface Wanted {
  /** Positions of tokens. */
  readonly sold: number
  readonly bought: number
  readonly out: bigint
}

/** The lowest number for which a condition holds, above 0. */
function bisect(high: bigint, holds: (value: bigint) => boolean): bigint {
  let [low, upper] = [0n, high]
  while (!holds(upper)) {
    upper *= 2n
  }
  while (upper - low > 1n) {
    const middle = (low + upper) / 2n
    if (holds(middle)) {
      upper = middle
    } else {
      low = middle
    }
  }
  return upper
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, each) => total + each, 0n)
}

function product(values: readonly bigint[]): bigint {
  return values.reduce((total, each) => total * each, 1n)
}

/** Solves `A n Σx + D = A n D + Dⁿ⁺¹ / (nⁿ Πx)` exactly, for what is sold. */
export function solveStableSwap(
  balances: readonly bigint[],
  { sold, bought, out }: Wanted,
  amplification: bigint,
): bigint {
  const count = BigInt(balances.length)
  const scale = 10n ** 12n
  const precise = balances.map((balance) => balance * scale)
  const isAbove = (values: readonly bigint[], invariant: bigint) =>
    (amplification * (sum(values) - invariant) + invariant) * count ** count * product(values) >=
    invariant ** (count + 1n)
  const invariant = bisect(sum(precise), (value) => !isAbove(precise, value))
  const after = precise.map((balance, index) =>
    index === bought ? balance - out * scale : balance,
  )
  const solved = bisect(invariant, (value) =>
    isAbove(
      after.map((balance, index) => (index === sold ? value : balance)),
      invariant,
    ),
  )
  return (solved - (precise[sold] ?? 0n)) / scale
}

/** Solves the invariant of CryptoSwap for what is sold, in the unit of the invariant. */
export function solveCryptoSwap(
  balances: readonly bigint[],
  { sold, bought, out }: Wanted,
  parameters: {
    readonly amplification: bigint
    readonly gamma: bigint
    readonly invariant: bigint
  },
): bigint {
  const count = BigInt(balances.length)
  const one = 10n ** 40n
  const { invariant } = parameters
  const g = (parameters.gamma * one) / 10n ** 18n
  // All balances are parts of the invariant.
  const isAbove = (values: readonly bigint[]) => {
    const volume = values.reduce((total, each) => (total * each) / one, one)
    const k0 = volume * count ** count
    const distance = g + one - k0
    const k =
      (((parameters.amplification * k0 * g) / distance) * g) / distance / (10_000n * count ** count)
    return (k * (sum(values) - one)) / one + volume - one / count ** count >= 0n
  }
  const after = balances.map(
    (balance, index) => ((index === bought ? balance - out : balance) * one) / invariant,
  )
  const solved = bisect(one, (value) =>
    isAbove(after.map((balance, index) => (index === sold ? value : balance))),
  )
  return (solved * invariant) / one - (balances[sold] ?? 0n)
}

/** Solves `Π xʷ` for what is sold, in floating point. */
export function solveWeighted(
  balances: readonly bigint[],
  { sold, bought, out }: Wanted,
  weights: readonly bigint[],
): bigint {
  const ratio = Number(weights[bought]) / Number(weights[sold])
  const share = Number(out) / Number(balances[bought])
  const growth = Math.expm1(-ratio * Math.log1p(-share))
  return ((balances[sold] ?? 0n) * BigInt(Math.round(growth * 2 ** 60))) >> 60n
}
