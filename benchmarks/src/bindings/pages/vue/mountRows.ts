import { type Component, createApp, h, type Plugin } from 'vue'
import { components } from '../kit/components.ts'
import { root } from '../kit/page.ts'

/** Mounts the components of a page. */
export function mountRows(row: Component, plugin?: Plugin): void {
  const app = createApp(() =>
    Array.from({ length: components }, (_, index) => h(row, { key: index })),
  )
  if (plugin) {
    app.use(plugin)
  }
  app.mount(root)
}
