import type { Command, Report } from './messages.ts'
import { type Playground, startService } from './startService.ts'

/** What differs between the frameworks. */
export interface Framework {
  /** The example and its compiled form. */
  readonly example: { readonly source: string; readonly compiled: string }
  /** The modules that code may import. */
  readonly modules: Readonly<Record<string, unknown>>
  /** Loads the compiler, which is larger than everything else. */
  loadCompiler(): Promise<(source: string) => string>
  /** Renders the default export of the code. Returns a function that removes it. */
  mount(component: unknown, target: HTMLElement, playground: Playground): () => void
}

const post = (report: Report) => window.parent.postMessage(report, location.origin)

/** Evaluates the body of a CommonJS module. */
function evaluate(code: string, modules: Framework['modules']): unknown {
  const require = (name: string) => {
    if (name in modules) {
      return modules[name]
    }
    throw new Error(
      `The playground has no module ${name}. It has ${Object.keys(modules).join(', ')}.`,
    )
  }
  const exports: { default?: unknown } = {}
  new Function('require', 'exports', code)(require, exports)
  if (!exports.default) {
    throw new Error('The code has no default export.')
  }
  return exports.default
}

/** Runs the example, and then whatever the playground around this page sends. */
export function runPlayground(framework: Framework): void {
  const playground = startService()
  const { client, service, setFault } = playground
  const target = document.getElementById('app')!
  let unmount = () => {}

  const run = async (source: string) => {
    try {
      const { example, modules } = framework
      const code =
        source === example.source ? example.compiled : (await framework.loadCompiler())(source)
      const component = evaluate(code, modules)
      unmount()
      target.replaceChildren()
      unmount = framework.mount(component, target, playground)
      post({ type: 'running' })
    } catch (error) {
      post({ type: 'error', message: error instanceof Error ? error.message : String(error) })
    }
  }
  window.addEventListener('error', ({ message }) => post({ type: 'error', message }))
  window.addEventListener('message', ({ data, source }: MessageEvent<Command>) => {
    if (source !== window.parent) {
      return
    }
    switch (data.type) {
      case 'run':
        return void run(data.source)
      case 'fault':
        return setFault(data.name, data.active)
      case 'theme':
        document.documentElement.dataset.theme = data.dark ? 'dark' : 'light'
    }
  })
  client.usage$.subscribe(({ spent }) =>
    post({ type: 'units', spent, requests: service.requests.length, service: service.units }),
  )
  post({ type: 'ready', source: framework.example.source })
}
