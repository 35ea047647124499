import { formatRate } from '../formatRate.ts'
import type { Key } from '../Key.ts'

const head = [
  'ID',
  'KEY',
  'PURPOSE',
  'STATE',
  'UNITS USED',
  'UNITS LEFT',
  'RATE',
  'LAST USED',
  'NAME',
]

/** Keys as a table for people, one a line. */
export function formatKeys(keys: readonly Key[], now = new Date()): string {
  const rows = [head, ...keys.map((key) => cells(key, now))]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cells(key: Key, now: Date): string[] {
  const { unitsQuota, unitsUsed } = key
  return [
    String(key.id),
    `${key.prefix}…`,
    key.purpose,
    stateOf(key, now),
    String(unitsUsed),
    unitsQuota === undefined
      ? 'unlimited'
      : `${Math.max(0, unitsQuota - unitsUsed)} of ${unitsQuota}`,
    key.rate ? formatRate(key.rate) : 'default',
    key.usedAt ? toSeconds(key.usedAt) : 'never',
    key.name,
  ]
}

function stateOf({ revokedAt, expiresAt }: Key, now: Date): string {
  if (revokedAt) {
    return `revoked ${toSeconds(revokedAt)}`
  }
  if (!expiresAt) {
    return 'valid'
  }
  return `${expiresAt <= now ? 'expired' : 'expires'} ${toSeconds(expiresAt)}`
}

function toSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}
