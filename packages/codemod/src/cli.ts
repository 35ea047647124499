#!/usr/bin/env node
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createProject } from './createProject.ts'
import { migrateFile } from './migrateFile.ts'

const usage = `Usage: headwater-codemod [options] [folders and files]

Migrates React apps from the hooks of the Sim API to Headwater, in the current folder by default.

Options:
  --base-url <url>  baseUrl of the client: the path of a proxy, or a URL (default: /api/headwater)
  --dry-run         report without writing files
  -h, --help        display help for command`

const { values, positionals } = parseOptions()

const extension = /\.[cm]?[jt]sx?$/
const ignoredFolder = /^(\..*|node_modules|dist|build)$/
/** Parsing all files of an app takes long, and few have anything to migrate. */
const mention = /dune|x-sim-api-key/i

const files = new Set<string>()
for (const given of positionals.length > 0 ? positionals : ['.']) {
  const stats = statSync(given, { throwIfNoEntry: false })
  if (!stats) {
    console.error(`${given} does not exist: pass folders or files of the app.`)
    process.exit(1)
  }
  const file = path.resolve(given)
  for (const found of stats.isDirectory() ? findFiles(file) : [file]) {
    files.add(found)
  }
}

let changed = 0
let noted = 0
for (const file of files) {
  const text = readFileSync(file, 'utf8')
  if (!mention.test(text)) {
    continue
  }
  const source = createProject().createSourceFile(file, text, { overwrite: true })
  const { text: migrated, notes } = migrateFile(source, values['base-url'])
  const name = path.relative(process.cwd(), file)
  if (migrated !== undefined) {
    changed++
    console.log(`${name}: migrated`)
  }
  for (const { line, message } of notes) {
    noted++
    console.log(`${name}:${line}: ${message}`)
  }
  if (migrated !== undefined && !values['dry-run']) {
    writeFileSync(file, text.includes('\r\n') ? migrated.replace(/\r?\n/g, '\r\n') : migrated)
  }
}
console.log(`\n${changed} of ${files.size} files migrated, ${noted} notes.`)
if (changed > 0 && !values['dry-run']) {
  console.log(`Next: npm uninstall @duneanalytics/hooks && npm install @headwater/react @headwater/core rxjs,
then format and check the types, which find most of what is left.`)
}

/** The source files below a folder. Follows no links, which may lead out of the app, or back. */
function* findFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isFile() && extension.test(entry.name)) {
      yield file
    } else if (entry.isDirectory() && !ignoredFolder.test(entry.name)) {
      yield* findFiles(file)
    }
  }
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
