import * as svelte from 'svelte'
// What compiled components import.
// eslint-disable-next-line svelte/no-svelte-internal
import * as internal from 'svelte/internal/client'
import example from 'virtual:example-svelte'
import * as core from '@headwater/core'
import * as binding from '@headwater/svelte'
import Provider from './Provider.svelte'
import { runPlayground } from './runPlayground.ts'

runPlayground({
  example,
  modules: {
    svelte,
    'svelte/internal/client': internal,
    'svelte/internal/disclose-version': {},
    'svelte/internal/flags/async': {},
    '@headwater/core': core,
    '@headwater/svelte': binding,
  },
  loadCompiler: async () => (await import('./compile/compileSvelte.ts')).compileSvelte,
  mount(component, target, { client, address }) {
    const app = svelte.mount(Provider, {
      target,
      props: { component: component as svelte.Component<{ address: string }>, client, address },
    })
    return () => void svelte.unmount(app)
  },
})
