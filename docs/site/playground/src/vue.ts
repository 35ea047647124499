import example from 'virtual:example-vue'
import * as vue from 'vue'
import * as core from '@headwater/core'
import * as binding from '@headwater/vue'
import { runPlayground } from './runPlayground.ts'

runPlayground({
  example,
  modules: { vue, '@headwater/core': core, '@headwater/vue': binding },
  loadCompiler: async () => (await import('./compile/compileVue.ts')).compileVue,
  mount(component, target, { client, address }) {
    const app = vue.createApp(component as vue.Component, { address })
    app.use(binding.headwaterPlugin(client)).mount(target)
    return () => app.unmount()
  },
})
