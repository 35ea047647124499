import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SiteConfig } from 'vitepress'

/** The beginning of VitePress's script of metadata: the files of all pages by their names, which is also `hashmap.json`. */
const map = /^window\.__VP_HASH_MAP__=JSON\.parse\("(?:[^"\\]|\\.)*"\);/

/** Adds to a page the file of itself, which the first rendering needs. */
export function addOwnFile(html: string): string {
  const [, name, hash] = /href="[^"]*\/([^"/]+\.md)\.([\w-]+)\.lean\.js"/.exec(html) ?? []
  const metadata = /<script type="module" src="[^"]*\/metadata\.\w+\.js"><\/script>/
  const entry = `__VP_HASH_MAP__[${JSON.stringify(name?.toLowerCase())}]=${JSON.stringify(hash)}`
  return name ? html.replace(metadata, `$&<script type="module">${entry}</script>`) : html
}

/**
 * Removes the map of all pages from the script that every page loads: it has 50 bytes for each page of the site. The router of
 * VitePress requests `hashmap.json` when it does not find a page, which is at the first link that a reader follows.
 *
 * @throws {Error} when the script is not as expected, such as after an update of VitePress.
 */
export function removeMap({ outDir }: SiteConfig): void {
  const [file] = globSync('assets/chunks/metadata.*.js', { cwd: outDir })
  const script = file && readFileSync(path.join(outDir, file), 'utf8')
  if (!script || !map.test(script)) {
    throw new Error('The map of pages was not found in the script of metadata.')
  }
  writeFileSync(path.join(outDir, file), script.replace(map, 'window.__VP_HASH_MAP__={};'))
}
