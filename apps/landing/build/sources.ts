import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { highlight } from './highlight.ts'
import { frameworks, screens } from './screens.ts'

const apps = path.resolve(import.meta.dirname, '../..')

/** Puts the demos' sources into the page, coloured: the page itself needs no script to show code. */
export const sources: Plugin = {
  name: 'headwater-sources',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replace('<!-- sources -->', screens.map(panel).join('\n')),
  },
}

function panel({ id, title, file }: (typeof screens)[number], index: number): string {
  const columns = frameworks.map((framework) => {
    const name = `${file}.${framework.ending}`
    const source = path.join(apps, `${framework.id}-demo`, 'src', name)
    const text = readFileSync(source, 'utf8')
    return `<figure class="source" data-framework="${framework.id}">
      <figcaption><strong>${framework.title}</strong> <span>${name}</span></figcaption>
      <pre tabindex="0" aria-label="${framework.title}, ${name}"><code>${highlight(text, framework.ending)}</code></pre>
    </figure>`
  })
  return `<section id="source-${id}" class="sources" role="tabpanel" aria-label="${title}"${index === 0 ? '' : ' hidden'}>
    ${columns.join('\n')}
  </section>`
}
