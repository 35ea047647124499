import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from './cli/createProgram.ts'
import { chainPresets } from './config/chainPresets.ts'
import { configSchema } from './config/configSchema.ts'
import { Metrics } from './http/Metrics.ts'
import { oldestPostgres } from './store/migrate.ts'

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** The options of the configuration in the notation of the README. */
function optionsOf({ properties = {} }: Schema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (name === 'chains') {
      return optionsOf(schema.items ?? {}, 'chains[].')
    }
    return name === 'media' ? optionsOf(schema, 'media.') : [prefix + name]
  })
}

function commandsOf(command: Command, prefix = ''): string[] {
  return command.commands.flatMap((child) => {
    const name = prefix + child.name()
    return child.commands.length > 0 ? commandsOf(child, `${name} `) : [name]
  })
}

describe('the README', () => {
  it('documents every option of the configuration', () => {
    const documented = [...readme.matchAll(/^\| ((?:`[\w[\].$]+`,? ?)+) +\|/gm)].flatMap(
      ([, names = '']) => names.match(/[\w[\].$]+/g) ?? [],
    )
    const options = optionsOf(configSchema as Schema).filter((name) => name !== '$schema')
    expect(options.length).toBeGreaterThan(20)
    expect(options.filter((name) => !documented.includes(name))).toEqual([])
  })

  it('states the oldest supported version of PostgreSQL', () => {
    expect(readme).toContain(`PostgreSQL database (${oldestPostgres} or newer)`)
  })

  it('documents every command', () => {
    const commands = commandsOf(createProgram())
    expect(commands).toContain('keys create')
    expect(commands.filter((name) => !readme.includes(`| \`${name}`))).toEqual([])
  })

  it('documents every metric', async () => {
    const text = await new Metrics({ process: false }).write([], [])
    const metrics = [...text.matchAll(/^# HELP headwater_(\w+)/gm)].map(([, name]) => name)
    expect(metrics.length).toBeGreaterThan(15)
    expect(metrics.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })

  it('lists the chains with a preset', () => {
    const listed = [...readme.matchAll(/^\| `(\d+)` +\| \w/gm)].map(([, id]) => id)
    expect(listed).toEqual(Object.keys(chainPresets))
    for (const [id, { finalityDepth = 64 }] of Object.entries(chainPresets)) {
      expect(readme).toMatch(new RegExp(`^\\| \`${id}\` .*\\| ${finalityDepth} +\\|$`, 'm'))
    }
  })

  it('links to existing headings', () => {
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    )
    const links = [...readme.matchAll(/\]\(#([\w-]+)\)/g)].map(([, link]) => link)
    expect(links.filter((link) => !headings.includes(link as string))).toEqual([])
  })
})
