import { registerHooks } from 'node:module'

// Resolves all imports of React, including those of the testing library and of React itself, to React 18.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const [, name, rest = ''] = /^(react|react-dom)(\/.*)?$/.exec(specifier) ?? []
    if (name === undefined) {
      return nextResolve(specifier, context)
    }
    return nextResolve(`${name}-18${rest}`, { ...context, parentURL: import.meta.url })
  },
})

const { version } = await import('react')
if (!version.startsWith('18.')) {
  throw new Error(`These tests would run on React ${version}.`)
}
