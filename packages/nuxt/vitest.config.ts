import { defineNodeProject } from '../../vitest.project.ts'

export default {
  ...defineNodeProject({ name: 'nuxt' }),
  plugins: [
    {
      // Nuxt sets it in each of its builds, and tests by a global.
      name: 'import.meta.server',
      transform: (code: string) => code.replaceAll('import.meta.server', 'globalThis.isServer'),
    },
  ],
}
