// Writes the pages of the reference that derive from other files: the HTTP API from the contract, the packages from their
// doc comments, the commands from their READMEs, and a list of the decisions.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** The packages that are commands. Their READMEs have all options. */
const commands = ['create-headwater', 'codemod']

/** Writes the pages of the commands, and returns their items of the sidebar. */
function describeCommands(): { text: string; link: string }[] {
  return commands.map((name) => {
    const text = readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8')
    mkdirSync(path.join(api, name))
    writeFileSync(path.join(api, name, 'index.md'), text)
    return { text: /^# (.+)$/m.exec(text)![1]!, link: `/api/${name}/` }
  })
}

rmSync(api, { recursive: true, force: true })
const { version } = JSON.parse(
  readFileSync(path.join(root, 'packages/contract/package.json'), 'utf8'),
) as { version: string }
write('http.md', describeHttp(openApi({ version })))
write('decisions.md', listDecisions())
const items = [...(await describePackages(api)), ...describeCommands()]
writeFileSync(path.join(api, 'sidebar.json'), JSON.stringify(items))
