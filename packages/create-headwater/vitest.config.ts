import { defineNodeProject } from '../../vitest.project.ts'

// The templates have tests of their own.
export default defineNodeProject({ name: 'create-headwater', include: ['src/**/*.test.ts'] })
