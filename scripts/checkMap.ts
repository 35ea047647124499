// Fails when a path in the map of AGENTS.md, or a relative link of a Markdown file, does not exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const broken: string[] = []
let checkedPaths = 0

const map = readFileSync('AGENTS.md', 'utf8').split('## To change X, edit Y')[1] ?? ''
for (const row of map.split('\n').filter((line) => line.startsWith('- '))) {
  for (const [, name] of row.matchAll(/`([^`]+)`/g)) {
    // A command is not a path.
    if (/^(p?npm|headwater) /.test(name!)) {
      continue
    }
    checkedPaths++
    if (!existsSync(name!)) {
      broken.push(`AGENTS.md: ${name}`)
    }
  }
}

const documents = globSync('**/*.md', {
  exclude: ['**/node_modules/**', '.changeset/**', '**/CHANGELOG.md'],
})
for (const file of documents) {
  for (const [, target] of readFileSync(file, 'utf8').matchAll(
    /\]\((?!https?:|#|mailto:)([^)#\s]+)/g,
  )) {
    checkedPaths++
    if (!existsSync(path.join(path.dirname(file), target!))) {
      broken.push(`${file}: ${target}`)
    }
  }
}

if (checkedPaths === 0) {
  broken.push('AGENTS.md: no paths found. Was the list moved?')
}
for (const line of broken) {
  console.error(`Path does not exist: ${line}`)
}
if (broken.length > 0) {
  process.exit(1)
}
console.log(`${checkedPaths} paths checked.`)
