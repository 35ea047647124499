import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { highlight } from './highlight.ts'
import { frameworks, screens } from './screens.ts'

type Screen = (typeof screens)[number]
type Framework = (typeof frameworks)[number]

const apps = path.resolve(import.meta.dirname, '../..')

/** Writes tabs and coloured sources into the page, which so needs no script to show code. */
export const fillPage: Plugin = {
  name: 'headwater-fill-page',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html
        .replace('<!-- screens -->', screens.map(tab).join('\n'))
        .replace('<!-- frameworks -->', frameworks.map(button).join('\n'))
        .replace('<!-- sources -->', screens.map(panel).join('\n')),
  },
}

function tab({ id, title }: Screen, index: number): string {
  const state = index === 0 ? 'aria-selected="true"' : 'aria-selected="false" tabindex="-1"'
  return `<button type="button" role="tab" ${state} aria-controls="source-${id}" data-screen="${id}">${title}</button>`
}

function button({ id, title }: Framework, index: number): string {
  return `<button type="button" aria-pressed="${index === 0}" data-show="${id}">${title}</button>`
}

function panel(screen: Screen, index: number): string {
  const { id, title } = screen
  return `<section id="source-${id}" class="sources" role="tabpanel" aria-label="${title}"${index === 0 ? '' : ' hidden'}>
    ${frameworks.map((framework) => source(screen, framework)).join('\n')}
  </section>`
}

function source({ file }: Screen, { id, title, ending }: Framework): string {
  const name = `${file}.${ending}`
  const text = readFileSync(path.join(apps, `${id}-demo`, 'src', name), 'utf8')
  return `<figure class="source" data-framework="${id}">
    <figcaption><strong>${title}</strong> <span>${name}</span></figcaption>
    <pre tabindex="0" aria-label="${title}, ${name}"><code>${highlight(text, ending)}</code></pre>
  </figure>`
}
