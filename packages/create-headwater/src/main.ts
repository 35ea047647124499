import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { cancel, intro, isCancel, outro, select, text } from '@clack/prompts'
import { createApp, findFolderProblem } from './createApp.ts'
import { isTemplateName, type TemplateName, templateNames, templates } from './templates.ts'

const defaults = { folder: 'headwater-app', template: 'vite-react' } as const

const help = `Usage: npm create headwater [folder] -- [options]

Creates an app that shows the balances of a wallet: a page, a proxy that keeps the API key on the server, and a test.

Options:
  -t, --template <name>  ${templateNames.join(', ')}
  -y, --yes              use defaults in place of prompts: ${defaults.folder}, ${defaults.template}
  -h, --help             print this text
`

/** The terminal. */
interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
}

/**
 * Runs the command.
 *
 * @param args - Arguments of the command line.
 * @param terminal - Standard input and output by default. Without a TTY there are no prompts.
 * @returns The exit code.
 */
export async function main(
  args: string[],
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<number> {
  const print = (line: string) => terminal.output.write(`${line}\n`)
  try {
    const options = parseOptions(args)
    if (options.help) {
      print(help)
      return 0
    }
    const choice = await completeOptions(options, terminal)
    if (!choice) {
      cancel('Nothing was created.', { output: terminal.output })
      return 1
    }
    createApp(choice.folder, choice.template)
    print(describeNextSteps(choice.folder, choice.template))
    return 0
  } catch (error) {
    print(error instanceof Error ? error.message : String(error))
    return 1
  }
}

interface Options {
  readonly folder: string | undefined
  readonly template: TemplateName | undefined
  readonly yes: boolean
  readonly help: boolean
}

/** @throws {Error} when an argument is unknown. */
function parseOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      template: { type: 'string', short: 't' },
      yes: { type: 'boolean', short: 'y', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { template, yes, help } = values
  if (positionals.length > 1) {
    throw new Error(`Expected one folder, not ${positionals.join(' ')}. See --help.`)
  }
  if (template !== undefined && !isTemplateName(template)) {
    throw new Error(`--template must be one of ${templateNames.join(', ')}. Given: ${template}`)
  }
  return { folder: positionals[0], template, yes, help }
}

/**
 * Prompts for what the arguments do not determine. Undefined if the user cancelled.
 *
 * @throws {Error} when no app can be created in the folder.
 */
async function completeOptions(
  { folder, template, yes }: Options,
  terminal: Terminal,
): Promise<{ folder: string; template: TemplateName } | undefined> {
  // Before the prompts, rather than after them.
  const problem = folder === undefined ? undefined : findFolderProblem(folder)
  if (problem !== undefined) {
    throw new Error(problem)
  }
  if (yes || (folder !== undefined && template !== undefined)) {
    return { folder: folder ?? defaults.folder, template: template ?? defaults.template }
  }
  if (!terminal.input.isTTY) {
    throw new Error('Without a terminal, pass a folder and --template, or --yes. See --help.')
  }
  intro('Headwater', { output: terminal.output })
  const chosenFolder = folder ?? (await promptFolder(terminal))
  const chosen = chosenFolder && (template ?? (await promptTemplate(terminal)))
  if (!chosen) {
    return undefined
  }
  outro(`Creating ${chosenFolder} …`, { output: terminal.output })
  return { folder: chosenFolder, template: chosen }
}

async function promptFolder(terminal: Terminal): Promise<string | undefined> {
  const folder = await text({
    message: 'Folder of the app',
    placeholder: defaults.folder,
    defaultValue: defaults.folder,
    validate: (value) => findFolderProblem(value ? value.trim() : defaults.folder),
    ...terminal,
  })
  return isCancel(folder) ? undefined : folder.trim()
}

async function promptTemplate(terminal: Terminal): Promise<TemplateName | undefined> {
  const frameworks = [...new Set(templates.map(({ framework }) => framework))]
  const framework = await select({
    message: 'Framework',
    options: frameworks.map((value) => ({ value })),
    ...terminal,
  })
  if (isCancel(framework)) {
    return undefined
  }
  const name = await select({
    message: 'Rendering',
    options: templates
      .filter((template) => template.framework === framework)
      .map(({ name: value, mode, hint }) => ({ value, label: mode, hint })),
    ...terminal,
  })
  return isCancel(name) ? undefined : name
}

function quoteForShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function describeNextSteps(folder: string, template: TemplateName): string {
  const prefix = template === 'nuxt' ? 'NUXT_' : ''
  const [manager = 'npm'] = (process.env.npm_config_user_agent ?? '').split('/')
  const relative = stripVTControlCharacters(path.relative('.', folder))
  return `
Created ${relative || 'the app'} from the template ${template}. Next:

${relative ? `  cd ${quoteForShell(relative)}\n` : ''}  ${manager || 'npm'} install

Write the URL of your service and an API key to .env, which Git ignores:

  ${prefix}HEADWATER_URL=http://127.0.0.1:4000
  ${prefix}HEADWATER_API_KEY=hw_your_key

  ${manager || 'npm'} run dev

Without a service, \`npx @headwater/testing\` starts a fake one at this URL: its key is test-key, and it has the wallets that the app links to.
`
}
