import type { Rate } from './Rate.ts'

const units: Readonly<Record<number, string>> = { 1: 's', 60: 'm', 3600: 'h' }

/** A rate as `parseRate` reads it. */
export function formatRate({ requests, seconds }: Rate): string {
  return `${requests}/${units[seconds] ?? `${seconds}s`}`
}
