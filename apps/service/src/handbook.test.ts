import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from './cli/createProgram.ts'
import { chainPresets } from './config/chainPresets.ts'
import { configSchema } from './config/configSchema.ts'
import { Metrics } from './http/Metrics.ts'
import { oldestPostgres } from './store/migrate.ts'

const folder = join(import.meta.dirname, '../../../docs/site/service')
const readPage = (name: string) => readFileSync(join(folder, `${name}.md`), 'utf8')
const configuration = readPage('configuration')
const commandList = readPage('commands')
const operations = readPage('operations')

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** The options of the configuration in the notation of the handbook. */
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

describe('the handbook', () => {
  it('documents every option of the configuration', () => {
    const documented = [...configuration.matchAll(/^\| ((?:`[\w[\].$]+`,? ?)+) +\|/gm)].flatMap(
      ([, names = '']) => names.match(/[\w[\].$]+/g) ?? [],
    )
    const options = optionsOf(configSchema as Schema).filter((name) => name !== '$schema')
    expect(options.length).toBeGreaterThan(20)
    expect(options.filter((name) => !documented.includes(name))).toEqual([])
  })

  it('states the oldest supported version of PostgreSQL', () => {
    expect(configuration).toContain(`PostgreSQL database (${oldestPostgres} or newer)`)
  })

  it('documents every command', () => {
    const commands = commandsOf(createProgram())
    expect(commands).toContain('keys create')
    expect(commands.filter((name) => !commandList.includes(`| \`${name}`))).toEqual([])
  })

  it('documents every metric', async () => {
    const text = await new Metrics({ process: false }).write([], [])
    const metrics = [...text.matchAll(/^# HELP headwater_(\w+)/gm)].map(([, name]) => name)
    expect(metrics.length).toBeGreaterThan(15)
    expect(metrics.filter((name) => !operations.includes(`\`${name}\``))).toEqual([])
  })

  it('recommends alerts on metrics that exist, each with a meaning', async () => {
    const text = await new Metrics({ process: false }).write([], [])
    const alerts = readFileSync(join(import.meta.dirname, '../alerts.yaml'), 'utf8')
    const rules = alerts.split(/^ {6}- alert: \w+$/m).slice(1)
    expect(rules.length).toBeGreaterThan(10)
    for (const rule of rules) {
      expect(rule).toMatch(/^ {8}expr: [^]+^ {10}description: /m)
      for (const [metric] of rule.matchAll(/headwater_\w+/g)) {
        expect(text).toContain(`# HELP ${metric.replace(/_(bucket|count)$/, '')} `)
      }
    }
    expect(operations).toContain('<<< @/../../apps/service/alerts.yaml')
  })

  it('lists the chains with a preset', () => {
    const listed = [...configuration.matchAll(/^\| `(\d+)` +\| \w/gm)].map(([, id]) => id)
    expect(listed).toEqual(Object.keys(chainPresets))
    for (const [id, { finalityDepth = 64 }] of Object.entries(chainPresets)) {
      expect(configuration).toMatch(new RegExp(`^\\| \`${id}\` .*\\| ${finalityDepth} +\\|$`, 'm'))
    }
  })

  it.each([
    ['Curve', 'curveFactories'],
    ['Balancer V2', 'balancerV2Factories'],
    ['vault', 'erc4626Vaults'],
    ['Uniswap V2, V3 and V4', 'uniswapV4Managers'],
  ] as const)('names %s where a preset has it', (name, option) => {
    for (const [id, preset] of Object.entries(chainPresets)) {
      const row = configuration.match(new RegExp(`^\\| \`${id}\` .*$`, 'm'))?.[0]
      expect(row?.includes(name), id).toBe((preset[option]?.length ?? 0) > 0)
    }
  })
})
