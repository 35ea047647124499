/** Prints a figure as one line of JSON on stdout. Progress goes to stderr. */
export function printFigure(name: string, fields: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ figure: name, ...fields })}\n`)
}

/** Prints progress on stderr. */
export function printProgress(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

/** Rounds to three significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
