// Checks the built site: every link and anchor exists, and no page loads anything from another origin.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '../dist')
const base = process.env.SITE_BASE ?? '/'
const pages = new Map(
  globSync('**/*.html', { cwd: folder }).map((file) => [
    file.replaceAll(path.sep, '/'),
    readFileSync(path.join(folder, file), 'utf8'),
  ]),
)
const idsOf = new Map(
  [...pages].map(([file, html]) => [
    file,
    new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!)),
  ]),
)

const problems: string[] = []
let links = 0
for (const [file, html] of pages) {
  for (const [, href = ''] of html.matchAll(/<a\b[^>]*? href="([^"]*)"/g)) {
    if (/^[a-z]+:/.test(href)) {
      continue
    }
    links += 1
    const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://site${base}${file}`)
    const name = decodeURIComponent(pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html')
    const ids = idsOf.get(name)
    if (!ids) {
      problems.push(`${file}: ${href} leads to no page.`)
    } else if (hash && !ids.has(decodeURIComponent(hash.slice(1)))) {
      problems.push(`${file}: ${href} leads to no heading.`)
    }
  }
  for (const [tag] of html.matchAll(
    /<(?:script|link|img|iframe|source)\b[^>]*? (?:src|href)="(?:https?:)?\/\/[^>]*>/g,
  )) {
    problems.push(`${file} loads from another origin: ${tag}`)
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
console.log(`${pages.size} pages, ${links} links.`)
