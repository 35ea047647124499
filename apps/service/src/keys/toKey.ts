import type { Selectable } from 'kysely'
import type { KeysTable } from '../store/Database.ts'
import type { ApiKey } from './ApiKey.ts'

/** Converts a row to a key, without its hash. */
export function toKey(row: Selectable<KeysTable>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    purpose: row.purpose,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    rate:
      row.rate_requests !== null && row.rate_seconds !== null
        ? { requests: row.rate_requests, seconds: row.rate_seconds }
        : undefined,
    unitsQuota: row.units_quota ?? undefined,
    unitsUsed: row.units_used,
    usedAt: row.used_at ?? undefined,
  }
}
