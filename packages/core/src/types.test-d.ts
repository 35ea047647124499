// Compiled by `check:types`, never run: what must not compile says so.
import { QueryClient } from '@tanstack/query-core'
import type { Observable } from 'rxjs'
import { expectTypeOf } from 'vitest'
import {
  balancesQueryOptions,
  createClient,
  getBalances,
  watchBalances,
  type Balance,
  type BalancesErrors,
  type BalancesResponse,
  type CollectionStream,
  type HeadwaterError,
  type Snapshot,
  type SnapshotStream,
} from './index.ts'

const client = createClient({ baseUrl: 'https://example.org' })
const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

// Parameters that do not fit do not compile.
// @ts-expect-error the address is missing
void getBalances(client, {})
// @ts-expect-error a limit is a number
void getBalances(client, { address, limit: 'ten' })
// @ts-expect-error there is no such parameter
void getBalances(client, { address, chainID: 1 })
// @ts-expect-error only these two
void getBalances(client, { address, filters: 'erc721' })
expectTypeOf(getBalances(client, { address })).toEqualTypeOf<Promise<BalancesResponse>>()

// The query options carry the answer's type.
expectTypeOf(new QueryClient().fetchQuery(balancesQueryOptions(client, { address }))).toEqualTypeOf<
  Promise<BalancesResponse>
>()

// A stream is an observable of snapshots; `select` narrows them.
const stream = watchBalances(client, { address })
expectTypeOf(stream).toEqualTypeOf<CollectionStream<Balance, readonly Balance[], BalancesErrors>>()
expectTypeOf(stream).toExtend<SnapshotStream<readonly Balance[]>>()
expectTypeOf(stream).toExtend<Observable<Snapshot<readonly Balance[]>>>()
expectTypeOf(watchBalances(client, { address }, { select: (rows) => rows.length })).toEqualTypeOf<
  CollectionStream<Balance, number, BalancesErrors>
>()
// @ts-expect-error pages are the stream's own business
watchBalances(client, { address, limit: 10 })
// @ts-expect-error pages are the stream's own business
watchBalances(client, { address, offset: 'cursor' })
// @ts-expect-error placeholder data are rows, also beside a `select`
watchBalances(client, { address }, { placeholderData: 1, select: () => 1 })

// The status tells what is there.
const snapshot = stream.getSnapshot()
if (snapshot.status === 'pending') expectTypeOf(snapshot.data).toEqualTypeOf<undefined>()
if (snapshot.status === 'success') expectTypeOf(snapshot.data).toEqualTypeOf<readonly Balance[]>()
if (snapshot.status === 'error') {
  expectTypeOf(snapshot.data).toEqualTypeOf<readonly Balance[] | undefined>()
  expectTypeOf(snapshot.error).toEqualTypeOf<HeadwaterError>()
}
