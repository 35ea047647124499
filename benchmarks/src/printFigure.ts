/** Prints a figure as one line of JSON on stdout; everything else that a benchmark says goes to stderr. */
export function printFigure(name: string, fields: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ figure: name, ...fields })}\n`)
}

/** Tells whoever waits what goes on. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

/** A number with three digits that count. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
