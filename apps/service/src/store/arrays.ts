import { type RawBuilder, sql } from 'kysely'

// Columns travel as one array parameter each, for `insert … select from unnest(…)`: thousands of rows in one statement.
// They are written as PostgreSQL's array text, which both drivers hand on as it is.

/** Hex texts with `0x` as `bytea[]`. */
export function bytesArray(values: readonly string[]): RawBuilder<Uint8Array[]> {
  return sql`${`{${values.map((value) => `"\\\\x${value.slice(2)}"`).join(',')}}`}::text[]::bytea[]`
}

/** Whole numbers of any size as `numeric[]`. */
export function numericArray(values: readonly bigint[]): RawBuilder<string[]> {
  return sql`${`{${values.join(',')}}`}::text[]::numeric[]`
}

/** Numbers as `bigint[]`. */
export function integerArray(values: readonly number[]): RawBuilder<number[]> {
  return sql`${`{${values.join(',')}}`}::text[]::bigint[]`
}
