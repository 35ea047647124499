import type { Formats } from '../formats/createFormats.ts'

/** The number of tokens, after that of the shown ones if these are fewer. */
export function tokensText(all: number, { count }: Pick<Formats, 'count'>, shown = all): string {
  const tokens = `${count(all)} ${all === 1 ? 'token' : 'tokens'}`
  return shown === all ? tokens : `${count(shown)} of ${tokens}`
}
