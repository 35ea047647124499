// Writes the pages of the reference that derive from other files: the HTTP API from the contract, the packages from their
// doc comments, and a list of the decisions.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openApi } from '@headwater/contract/schemas'
import { describeHttp } from './describeHttp.ts'
import { describePackages } from './describePackages.ts'

const root = path.join(import.meta.dirname, '../../..')
const reference = path.join(import.meta.dirname, '../reference')
const api = path.join(import.meta.dirname, '../api')
const repository = 'https://github.com/headwater-project/headwater'

const write = (file: string, text: string) => writeFileSync(path.join(reference, file), text)

/** A list of all decisions. They are read on GitHub, with the files that they are about. */
function listDecisions(): string {
  const folder = 'docs/decisions'
  const list = readdirSync(path.join(root, folder))
    .filter((file) => /^\d+-.*\.md$/.test(file))
    .map((file) => {
      const title = /^# (.+)$/m.exec(readFileSync(path.join(root, folder, file), 'utf8'))?.[1]
      return `- [${title?.replace('. ', ' · ')}](${repository}/blob/main/${folder}/${file})`
    })
  return `# Decisions\n\nThe reasons for decisions that are likely to be questioned.\n\n${list.join('\n')}\n`
}

rmSync(api, { recursive: true, force: true })
const { version } = JSON.parse(
  readFileSync(path.join(root, 'packages/contract/package.json'), 'utf8'),
) as { version: string }
write('http.md', describeHttp(openApi({ version })))
write('decisions.md', listDecisions())
writeFileSync(path.join(api, 'sidebar.json'), JSON.stringify(await describePackages(api)))
