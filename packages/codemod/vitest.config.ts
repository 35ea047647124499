import { defineNodeProject } from '../../vitest.project.ts'

export default defineNodeProject({ name: 'codemod' })
