import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pinnedNode, run, type RunningCommand, start } from '../run.ts'
import type { Step } from './parseGuide.ts'

/** Commands that run until the reader stops them, and what they print when they are ready. */
const servers: readonly (readonly [command: RegExp, ready: RegExp])[] = [
  [/^npm run dev$/, /http:\/\/(localhost|127\.0\.0\.1):\d+/],
  [/^npx @headwater\/testing$/, /0x[\da-f]{40} +collector/],
  [/^npx @headwater\/service /, /API key: hw_\S+/],
  [/^headwater start$/, /serving|http:\/\/127\.0\.0\.1:\d+/],
  [/^node wallet\.ts$/, /LINK/],
]

/** Follows steps as they are written, in a folder of its own, and counts what a reader types. */
export class Reader {
  folder: string
  commands = 0
  readonly files = new Map<string, string>()
  readonly #servers: RunningCommand[] = []
  readonly #variables: NodeJS.ProcessEnv

  /**
   * @param folder - An empty folder.
   * @param registry - URL of the registry for npm.
   * @param variables - Further variables of the commands.
   */
  constructor(folder: string, registry: string, variables: NodeJS.ProcessEnv = {}) {
    this.folder = folder
    // The prompts of npm and create-vite need a terminal.
    const npm = { npm_config_registry: registry, npm_config_yes: 'true', CI: 'true' }
    this.#variables = { ...pinnedNode, ...npm, npm_config_prefer_offline: 'true', ...variables }
  }

  /** Follows steps in their order. Returns the output of the last command. */
  async follow(steps: readonly Step[]): Promise<string> {
    let output = ''
    for (const step of steps) {
      if (step.kind === 'commands') {
        for (const line of step.lines) {
          output = await this.#execute(line)
        }
      } else if (step.kind === 'file') {
        await this.write(step.file, step.text)
        this.files.set(step.file, step.text)
      }
    }
    return output
  }

  async write(file: string, text: string): Promise<void> {
    const target = path.join(this.folder, file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, `${text}\n`)
  }

  /** Runs a command that is not on the page. */
  run(line: string): Promise<string> {
    return run('bash', ['-c', line], this.folder, this.#variables)
  }

  /** The lines of all files that the reader wrote. */
  countLines(): number {
    const texts = [...this.files.values()]
    return texts.reduce((sum, text) => sum + text.split('\n').filter(Boolean).length, 0)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => server.stop()))
  }

  async #execute(line: string): Promise<string> {
    this.commands += 1
    const folder = /^cd (\S+)$/.exec(line)?.[1]
    if (folder !== undefined) {
      this.folder = path.join(this.folder, folder)
      return ''
    }
    const ready = servers.find(([command]) => command.test(line))?.[1]
    if (!ready) {
      return this.run(line)
    }
    const server = await start('bash', ['-c', line], this.folder, ready, this.#variables)
    this.#servers.push(server)
    return server.readyText
  }
}
