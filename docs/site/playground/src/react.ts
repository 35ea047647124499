import * as react from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import { createRoot } from 'react-dom/client'
import example from 'virtual:example-react'
import * as core from '@headwater/core'
import * as binding from '@headwater/react'
import { runPlayground } from './runPlayground.ts'

runPlayground({
  example,
  modules: {
    react,
    'react/jsx-runtime': jsxRuntime,
    '@headwater/core': core,
    '@headwater/react': binding,
  },
  loadCompiler: async () => (await import('./compile/compileReact.ts')).compileReact,
  mount(component, target, { client, address }) {
    const root = createRoot(target)
    const element = react.createElement(component as react.FC<{ address: string }>, { address })
    root.render(react.createElement(binding.HeadwaterProvider, { client, children: element }))
    return () => root.unmount()
  },
})
