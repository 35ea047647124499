import type { ApiKey } from '../ApiKey.ts'
import { formatRate } from '../Rate.ts'

const columns = [
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

/** Formats keys as a table, one per line. */
export function formatKeys(keys: readonly ApiKey[], now = new Date()): string {
  const rows = [columns, ...keys.map((key) => formatCells(key, now))]
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function formatCells(key: ApiKey, now: Date): string[] {
  const { unitsQuota, unitsUsed } = key
  return [
    String(key.id),
    `${key.prefix}…`,
    key.purpose,
    formatState(key, now),
    String(unitsUsed),
    unitsQuota === undefined
      ? 'unlimited'
      : `${Math.max(0, unitsQuota - unitsUsed)} of ${unitsQuota}`,
    key.rate ? formatRate(key.rate) : 'default',
    key.usedAt ? formatTime(key.usedAt) : 'never',
    key.name,
  ]
}

function formatState({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt) {
    return `revoked ${formatTime(revokedAt)}`
  }
  if (!expiresAt) {
    return 'valid'
  }
  return `${expiresAt <= now ? 'expired' : 'expires'} ${formatTime(expiresAt)}`
}

function formatTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}
