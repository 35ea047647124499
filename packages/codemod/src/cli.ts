#!/usr/bin/env node
import { statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { NewLineKind } from 'ts-morph'
import { createProject } from './createProject.ts'
import { migrateFile } from './migrateFile.ts'

const usage = `Usage: headwater-codemod [options] [folders and files]

Migrates React apps from the hooks of the Sim API to Headwater, in the current folder by default.

Options:
  --base-url <url>  baseUrl of the client: the path of a proxy, or a URL (default: /api/headwater)
  --dry-run         report without writing files
  -h, --help        display help for command`

const { values, positionals } = parseOptions()

const project = createProject()
for (const given of positionals.length > 0 ? positionals : ['.']) {
  const stats = statSync(given, { throwIfNoEntry: false })
  if (!stats) {
    console.error(`${given} does not exist: pass folders or files of the app.`)
    process.exit(1)
  }
  project.addSourceFilesAtPaths(
    stats.isDirectory()
      ? [`${given}/**/*.{ts,tsx,js,jsx,mts,mjs}`, `!${given}/**/{node_modules,dist,build,.next}/**`]
      : given,
  )
}

let changed = 0
let noted = 0
for (const file of project.getSourceFiles()) {
  const { text, notes } = migrateFile(file, values['base-url'])
  const name = path.relative(process.cwd(), file.getFilePath())
  if (text !== undefined) {
    changed++
    console.log(`${name}: migrated`)
  }
  for (const { line, message } of notes) {
    noted++
    console.log(`${name}:${line}: ${message}`)
  }
  if (text !== undefined && !values['dry-run']) {
    const newLineKind = text.includes('\r\n')
      ? NewLineKind.CarriageReturnLineFeed
      : NewLineKind.LineFeed
    project.manipulationSettings.set({ newLineKind })
    file.replaceWithText(text)
    file.saveSync()
  }
}
console.log(`\n${changed} of ${project.getSourceFiles().length} files migrated, ${noted} notes.`)
if (changed > 0) {
  console.log(`Next: npm uninstall @duneanalytics/hooks && npm install @headwater/react @headwater/core rxjs,
then format and check the types, which find most of what is left.`)
}

/** Prints the usage or an error and exits where nothing is to be migrated. */
function parseOptions() {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        'base-url': { type: 'string', default: '/api/headwater' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (parsed.values.help) {
      console.log(usage)
      process.exit()
    }
    const baseUrl = parsed.values['base-url']
    // `createClient` rejects any other.
    if (!/^(\/|https?:\/\/)/.test(baseUrl)) {
      throw new TypeError(
        `--base-url must be a path that begins with /, or a URL, got '${baseUrl}'`,
      )
    }
    return parsed
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(1)
  }
}
