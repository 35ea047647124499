/** Amounts of predicted swaps are times this, so that a tiny one has as many digits as a large one. */
export const amountUnit = 10n ** 30n

/** What is wanted of a pool, in the unit of its invariant. */
interface Wanted {
  /** Positions of tokens. */
  readonly sold: number
  readonly bought: number
  /** Times `amountUnit`. */
  readonly out: bigint
}

/** The lowest number for which a condition holds, above 0. */
export function bisect(guess: bigint, holds: (value: bigint) => boolean): bigint {
  let low = 0n
  let high = guess
  while (!holds(high)) {
    ;[low, high] = [high, 2n * high]
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (holds(middle)) {
      high = middle
    } else {
      low = middle
    }
  }
  return high
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, each) => total + each, 0n)
}

function product(values: readonly bigint[]): bigint {
  return values.reduce((total, each) => total * each, 1n)
}

/** Whether an invariant of StableSwap is at most that of some balances: `A n Σx + D = A n D + Dⁿ⁺¹ / (nⁿ Πx)`. */
function hasStableInvariant(
  balances: readonly bigint[],
  invariant: bigint,
  amplification: bigint,
): boolean {
  const count = BigInt(balances.length)
  const linear = amplification * (sum(balances) - invariant) + invariant
  return linear * count ** count * product(balances) >= invariant ** (count + 1n)
}

const stableInvariants = new Map<string, bigint>()

/** The invariant `D` of StableSwap, times `amountUnit`. */
function findStableInvariant(balances: readonly bigint[], amplification: bigint): bigint {
  const key = `${balances.join()} ${amplification}`
  const known = stableInvariants.get(key)
  if (known !== undefined) {
    return known
  }
  const precise = balances.map((balance) => balance * amountUnit)
  const invariant = bisect(
    sum(precise),
    (value) => !hasStableInvariant(precise, value, amplification),
  )
  stableInvariants.clear()
  stableInvariants.set(key, invariant)
  return invariant
}

/** Solves the invariant of StableSwap for what is sold, times `amountUnit`. */
export function solveStableSwap(
  balances: readonly bigint[],
  { sold, bought, out }: Wanted,
  amplification: bigint,
): bigint {
  const invariant = findStableInvariant(balances, amplification)
  const after = balances.map((balance, index) =>
    index === bought ? balance * amountUnit - out : balance * amountUnit,
  )
  const solved = bisect(invariant, (value) =>
    hasStableInvariant(
      after.map((balance, index) => (index === sold ? value : balance)),
      invariant,
      amplification,
    ),
  )
  return solved - (balances[sold] ?? 0n) * amountUnit
}

/**
 * How much a balance of StableSwap grows with the invariant, rounded up: `∂y/∂D`, which is the value of the pool in `y` by `D`.
 */
export function getStableSlope(
  balances: readonly bigint[],
  bought: number,
  amplification: bigint,
): bigint {
  const count = balances.length
  const invariant = Number(findStableInvariant(balances, amplification)) / Number(amountUnit)
  const values = balances.map(Number)
  const fraction = values.reduce((part, each) => (part * invariant) / (each * count), invariant)
  const total = values.reduce((value, each) => value + Number(amplification) * each + fraction, 0)
  const price = Number(amplification) + fraction / (values[bought] ?? 0)
  return BigInt(Math.ceil(total / price / invariant))
}

/** Solves the invariant of CryptoSwap for what is sold, times `amountUnit`. */
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
  const after = balances.map((balance, index) => {
    const precise = balance * amountUnit - (index === bought ? out : 0n)
    return (precise * one) / (invariant * amountUnit)
  })
  const solved = bisect(one, (value) =>
    isAbove(after.map((balance, index) => (index === sold ? value : balance))),
  )
  return (solved * invariant * amountUnit) / one - (balances[sold] ?? 0n) * amountUnit
}

/** Solves `Π xʷ` for what is sold, times `amountUnit`, in floating point: its error is a thousandth of that of the contract. */
export function solveWeighted(
  balances: readonly bigint[],
  { sold, bought, out }: Wanted,
  weights: readonly bigint[],
): bigint {
  const ratio = Number(weights[bought]) / Number(weights[sold])
  const share = Number(out) / Number((balances[bought] ?? 0n) * amountUnit)
  const growth = Math.expm1(-ratio * Math.log1p(-share))
  return ((balances[sold] ?? 0n) * amountUnit * BigInt(Math.round(growth * 2 ** 120))) >> 120n
}
