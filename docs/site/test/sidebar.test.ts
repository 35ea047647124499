import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { sidebar } from '../.vitepress/sidebar.ts'

it.each(['start', 'playgrounds', 'guides', 'concepts', 'service'])(
  'links each page of %s',
  (folder) => {
    const links = JSON.stringify(sidebar)
    const pages = readdirSync(path.join(import.meta.dirname, '..', folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `/${folder}/${file === 'index.md' ? '' : path.parse(file).name}`)
    expect(pages.filter((page) => !links.includes(`"${page}"`))).toEqual([])
  },
)
