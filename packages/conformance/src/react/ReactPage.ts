import { createElement, type ReactElement } from 'react'
import * as binding from '@headwater/react'
import type { Page } from '../Driver.ts'
import {
  getStreamFunctions,
  type SnapshotStreamName,
  type StreamName,
  type Streams,
} from '../Streams.ts'
import type { View } from '../View.ts'

const { HeadwaterProvider, useUsage, useWaitForChange } = binding

/** The hooks of the binding, one of each stream of snapshots. */
type Binding = {
  readonly [Name in SnapshotStreamName as `use${Capitalize<Name>}`]: (
    parameters: Streams[Name]['parameters'],
    options: Streams[Name]['options'],
  ) => Streams[Name]['value']
}

type Hook = (parameters: never, options: never) => unknown

const hooks: Record<StreamName, Hook> = {
  ...getStreamFunctions<Hook>(binding satisfies Binding, 'use'),
  usage: (_: never, options) => useUsage(options),
  waitForChange: (_: never, options) => useWaitForChange(options),
}

function Probe({ view, place }: { view: View; place: number }): ReactElement {
  // The hook is the same at each render, as a view of another stream has another key.
  const useStream = hooks[view.stream]
  const value = useStream(view.parameters as never, view.options as never)
  return createElement('p', { 'data-view': place }, view.write(value as never))
}

/** The views of a page, in a provider if it has a client. */
export function ReactPage({ page: { client, views } }: { page: Page }): ReactElement {
  const probes = views.map(
    (view, place) => view && createElement(Probe, { key: `${place} ${view.stream}`, view, place }),
  )
  return client
    ? createElement(HeadwaterProvider, { client }, probes)
    : createElement('div', null, probes)
}
