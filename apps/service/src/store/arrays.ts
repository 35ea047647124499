import { type RawBuilder, sql } from 'kysely'

// Each column is one array parameter, for `insert … select from unnest(…)`: thousands of rows in one statement. The values
// are array literals of PostgreSQL, which both drivers pass on unchanged.

/** Hex strings with `0x` as `bytea[]`. */
export function bytesArray(values: readonly string[]): RawBuilder<Uint8Array[]> {
  return sql`${`{${values.map((value) => `"\\\\x${value.slice(2)}"`).join(',')}}`}::text[]::bytea[]`
}

/** Integers of any size as `numeric[]`. */
export function numericArray(values: readonly bigint[]): RawBuilder<string[]> {
  return sql`${`{${values.join(',')}}`}::text[]::numeric[]`
}

/** Safe integers as `bigint[]`. */
export function integerArray(values: readonly number[]): RawBuilder<number[]> {
  return sql`${`{${values.join(',')}}`}::text[]::bigint[]`
}
