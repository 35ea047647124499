import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp } from './createApp.ts'
import { templateNames } from './templates.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'create-headwater-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const filesOf = (app: string) =>
  readdirSync(app, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(app, path.join(entry.parentPath, entry.name)))

it('has a folder for each template', () => {
  const folders = readdirSync(path.join(import.meta.dirname, '../templates'))
  expect(folders.sort()).toEqual([...templateNames].sort())
})

it.each(templateNames)(
  '%s has at most eleven files, with page, test, configuration and proxy',
  (name) => {
    const app = path.join(folder, 'My Wallet')
    createApp(app, name)
    const files = filesOf(app)
    expect(files.length).toBeLessThanOrEqual(11)
    expect(files).toEqual(expect.arrayContaining(['.gitignore', 'package.json', 'tsconfig.json']))
    expect(files.filter((file) => /\.test\.tsx?$/.test(file))).toHaveLength(1)
    const texts = files.map((file) => readFileSync(path.join(app, file), 'utf8')).join('\n')
    expect(texts).toMatch(/createProxy\(|modules: \['@headwater\/nuxt'\]/)
    expect(texts).toMatch(/(use|create)Balances\(/)
    expect(texts).toMatch(/^\.env\*$/m)
    // Servers restart in the same process after a change of `.env`, whose variables would precede the new ones.
    expect(texts).not.toMatch(/Object\.assign\(process\.env|process\.env[.[\w\]]* =/)
    expect(texts).toMatch(/<title>Balances<|title: 'Balances'/)
    expect(texts).toMatch(/color-scheme: light dark|colorScheme: 'light dark'/)
    expect(texts).toMatch(/lang="en"|lang: 'en'/)
    expect(texts.match(/<h1>Balances<\/h1>/g)).toHaveLength(1)
    expect(texts.match(/<main[ >]/g)).toHaveLength(1)
    // The navigation is a landmark beside the main one.
    expect(texts).not.toMatch(/<main[^]*<nav[^]*<\/main>/)
    // Symbols are texts of contracts, and may be of another direction.
    expect(texts).toMatch(/<bdi>\{+ ?(row\.)?symbol \?\? /)
    // Next.js and Nuxt add it.
    if (/<!doctype html>/i.test(texts)) {
      expect(texts).toContain('<meta name="viewport" content="width=device-width')
    }
  },
)

it('names the package as the folder, and requires the packages of its own version', () => {
  const app = path.join(folder, 'My Wallet!')
  createApp(app, 'nuxt')
  const { version } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
  ) as { version: string }
  expect(JSON.parse(readFileSync(path.join(app, 'package.json'), 'utf8'))).toMatchObject({
    name: 'my-wallet',
    dependencies: { '@headwater/nuxt': `^${version}`, vue: '3.5.45' },
    devDependencies: { '@headwater/testing': `^${version}` },
  })
})

it('rejects a folder with files, and changes nothing', () => {
  writeFileSync(path.join(folder, 'notes.txt'), 'mine')
  expect(() => createApp(folder, 'next')).toThrow(`The folder ${folder} is not empty`)
  expect(filesOf(folder)).toEqual(['notes.txt'])
  expect(() => createApp(path.join(folder, 'notes.txt'), 'next')).toThrow('is not a folder')
})

it('accepts an empty folder, and a new Git repository', () => {
  mkdirSync(path.join(folder, '.git'))
  createApp(folder, 'vite-vue')
  expect(filesOf(folder)).toContain('index.html')
})
