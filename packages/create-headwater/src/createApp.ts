import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { TemplateName } from './templates.ts'

const packageFolder = path.join(import.meta.dirname, '..')

/**
 * Writes the files of an app.
 *
 * @param folder - Created if it does not exist. Its name becomes the name of the package.
 * @param template - The template that is copied.
 * @throws {Error} when the folder contains files, or has no name.
 */
export function createApp(folder: string, template: TemplateName): void {
  const problem = findFolderProblem(folder)
  if (problem !== undefined) {
    throw new Error(problem)
  }
  mkdirSync(folder, { recursive: true })
  cpSync(path.join(packageFolder, 'templates', template), folder, { recursive: true })
  // npm does not pack files of the name that it has in an app.
  renameSync(path.join(folder, '_gitignore'), path.join(folder, '.gitignore'))
  const manifest = path.join(folder, 'package.json')
  writeFileSync(
    manifest,
    formatManifest(readFileSync(manifest, 'utf8'), path.basename(path.resolve(folder))),
  )
}

/** Why no app can be created in a folder; undefined if it can. A folder with nothing but a Git repository is empty. */
export function findFolderProblem(folder: string): string | undefined {
  if (folder.trim() === '') {
    return 'The folder has no name.'
  }
  if (existsSync(folder)) {
    try {
      if (readdirSync(folder).every((name) => name === '.git')) {
        return undefined
      }
    } catch {
      return `${folder} is not a folder.`
    }
    return `The folder ${folder} is not empty. Choose another one, or remove its files.`
  }
  return undefined
}

/**
 * The manifest of a template with the name of the app, and the packages of Headwater in the version of this one: they are
 * released together.
 */
function formatManifest(text: string, folderName: string): string {
  const { version } = JSON.parse(
    readFileSync(path.join(packageFolder, 'package.json'), 'utf8'),
  ) as Record<string, string>
  const manifest = JSON.parse(text) as Record<string, unknown>
  const withVersions = (ranges: unknown) =>
    Object.fromEntries(
      Object.entries(ranges as Record<string, string>).map(([name, range]) => [
        name,
        name.startsWith('@headwater/') ? `^${version}` : range,
      ]),
    )
  manifest.name = toPackageName(folderName)
  manifest.dependencies = withVersions(manifest.dependencies)
  manifest.devDependencies = withVersions(manifest.devDependencies)
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/** A name that npm accepts. */
function toPackageName(name: string): string {
  const valid = name
    .toLowerCase()
    .replace(/[^a-z\d-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return valid || 'headwater-app'
}
