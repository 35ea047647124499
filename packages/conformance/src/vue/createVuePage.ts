import {
  type App,
  createApp,
  createSSRApp,
  defineComponent,
  h,
  type PropType,
  type ShallowRef,
  shallowRef,
} from 'vue'
import * as binding from '@headwater/vue'
import type { Page } from '../Driver.ts'
import {
  getStreamFunctions,
  type SnapshotStreamName,
  type StreamName,
  type Streams,
} from '../Streams.ts'
import type { View } from '../View.ts'

const { headwaterPlugin, useUsage, useWaitForChange } = binding

/** The composables of the binding, one of each stream of snapshots. */
type Binding = {
  readonly [Name in SnapshotStreamName as `use${Capitalize<Name>}`]: (
    parameters: () => Streams[Name]['parameters'],
    options: () => Streams[Name]['options'],
  ) => { readonly value: Streams[Name]['value'] }
}

type Composable = (parameters: () => never, options: () => never) => { readonly value: unknown }

const composables: Record<StreamName, Composable> = {
  ...getStreamFunctions<Composable>(binding satisfies Binding, 'use'),
  usage: (_, options) => useUsage(options()),
  waitForChange: (_, options) => useWaitForChange(options()),
}

const Probe = defineComponent({
  props: {
    view: { type: Object as PropType<View>, required: true },
    place: { type: Number, required: true },
  },
  setup(props) {
    const value = composables[props.view.stream](
      () => props.view.parameters as never,
      () => props.view.options as never,
    )
    return () => h('p', { 'data-view': props.place }, props.view.write(value.value as never))
  },
})

// Vue waits for devtools for some seconds after the first app of each kind: this timer must not be part of a scenario.
for (const create of [createApp, createSSRApp]) {
  create({})
}

/** An app with the views of a page, and the plugin if it has a client. */
export function createVuePage(
  create: (root: { render: () => unknown }) => App,
  page: Page,
): { app: App; views: ShallowRef<Page['views']> } {
  const views = shallowRef(page.views)
  const app = create({
    render: () =>
      views.value.map(
        (view, place) => view && h(Probe, { key: `${place} ${view.stream}`, view, place }),
      ),
  })
  if (page.client) {
    app.use(headwaterPlugin(page.client))
  }
  return { app, views }
}
