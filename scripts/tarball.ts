import path from 'node:path'

/**
 * Finds what a tarball must not contain, and what it lacks.
 *
 * @param files - Text of each file, by its path in the package.
 * @param root - Folder that no file may name.
 */
export function findTarballErrors(files: ReadonlyMap<string, string>, root: string): string[] {
  const errors = ['LICENSE', 'README.md', 'package.json']
    .filter((file) => !files.has(file))
    .map((file) => `${file} is missing`)
  for (const [file, text] of files) {
    const report = (problem: string) => errors.push(`${file}: ${problem}`)
    // The test of a template is part of the app that it creates.
    if (
      /(^|\/)(tests?|__tests__|fixtures)\/|\.(test|test-d|spec)\./.test(file) &&
      !file.startsWith('templates/')
    ) {
      report('is a test')
    }
    const absolute = [root, 'file:///', '/home/', '/Users/'].filter((each) => text.includes(each))
    if (absolute.length > 0) {
      report(`names a path of the machine that built it (${absolute.join(', ')})`)
    }
    for (const target of findSourceMapTargets(file, text).filter((each) => !files.has(each))) {
      report(`its source map refers to ${target}, which the package does not contain`)
    }
    if (file === 'README.md') {
      for (const [, link] of text.matchAll(/\]\((?!https:|mailto:|#)([^)\s]+)/g)) {
        report(`the link ${link} does not work on npm`)
      }
    }
  }
  const ranges = Object.entries(dependenciesOf(files.get('package.json') ?? '{}'))
  for (const [name, range] of ranges.filter(([, each]) =>
    /^(workspace|catalog|link|file):/.test(each),
  )) {
    errors.push(`package.json: ${name} has the range ${range}, which npm cannot install`)
  }
  return errors
}

/** The files that a source map, or the reference to one, leads to. */
function findSourceMapTargets(file: string, text: string): string[] {
  const inFolder = (target: string) => path.posix.join(path.posix.dirname(file), target)
  if (file.endsWith('.map')) {
    const { sources, sourceRoot = '' } = JSON.parse(text) as {
      sources: string[]
      sourceRoot?: string
    }
    return sources.map((source) => inFolder(path.posix.join(sourceRoot, source)))
  }
  return [...text.matchAll(/^\/\/# sourceMappingURL=(?!data:)(\S+)$/gm)].map(([, target = '']) =>
    inFolder(target),
  )
}

/** The ranges that an installation resolves. */
function dependenciesOf(manifest: string): Record<string, string> {
  const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(manifest) as Record<
    string,
    Record<string, string> | undefined
  >
  return { ...dependencies, ...peerDependencies, ...optionalDependencies }
}
