import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { type BindingName, bindings } from '../../../scripts/bindings.ts'
import { highlight } from './highlight.ts'
import { screens } from './screens.ts'

type Screen = (typeof screens)[number]
type Binding = (typeof bindings)[number]

const apps = path.resolve(import.meta.dirname, '../..')

/** What each binding calls its subscription primitives, with an example. */
const primitives: Readonly<Record<BindingName, readonly [plural: string, example: string]>> = {
  react: ['hooks', 'useBalances()'],
  vue: ['composables', 'useBalances()'],
  svelte: ['stores', 'createBalances()'],
}

/** Renders links, tabs and highlighted sources into the page at build time, so that it shows code without scripts. */
export const fillPage: Plugin = {
  name: 'headwater-fill-page',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html
        .replace('<!-- demos -->', bindings.map(link).join('\n'))
        .replace('<!-- screens -->', screens.map(tab).join('\n'))
        .replace('<!-- frameworks -->', bindings.map(button).join('\n'))
        .replace('<!-- sources -->', screens.map(panel).join('\n')),
  },
}

function link({ name, title }: Binding): string {
  const [plural, example] = primitives[name]
  return `<li>
    <a data-demo="${name}" data-testid="demo-${name}" href="#">
      <strong>${title}</strong> <span>${plural}: <code>${example}</code></span>
    </a>
  </li>`
}

function tab({ id, title }: Screen, index: number): string {
  const state = index === 0 ? 'aria-selected="true"' : 'aria-selected="false" tabindex="-1"'
  return `<button type="button" role="tab" ${state} aria-controls="source-${id}" data-screen="${id}">${title}</button>`
}

function button({ name, title }: Binding, index: number): string {
  return `<button type="button" aria-pressed="${index === 0}" data-show="${name}">${title}</button>`
}

function panel(screen: Screen, index: number): string {
  const { id, title } = screen
  return `<section id="source-${id}" class="sources" role="tabpanel" aria-label="${title}"${index === 0 ? '' : ' hidden'}>
    ${bindings.map((binding) => source(screen, binding)).join('\n')}
  </section>`
}

function source({ file }: Screen, { name, title, extension }: Binding): string {
  const fileName = `${file}.${extension}`
  const text = readFileSync(path.join(apps, `${name}-demo`, 'src', fileName), 'utf8')
  return `<figure class="source" data-framework="${name}">
    <figcaption><strong>${title}</strong> <span>${fileName}</span></figcaption>
    <pre tabindex="0" aria-label="${title}, ${fileName}"><code>${highlight(text, extension)}</code></pre>
  </figure>`
}
