import { expect, it } from 'vitest'
import { parseGuide, sectionOf } from './parseGuide.ts'

const page = `# Page

Run this:

\`\`\`sh
npm create vite@latest app
cd app
\`\`\`

## Code

Replace \`src/main.tsx\`:

\`\`\`tsx
main()
\`\`\`

Two variables, in \`.env\`. Neither is public:

\`\`\`ini
A=1
\`\`\`


React:

\`\`\`tsx
const a = 1
\`\`\`
`

it('finds commands, files and code', () => {
  expect(parseGuide(page)).toEqual([
    { kind: 'commands', lines: ['npm create vite@latest app', 'cd app'] },
    { kind: 'file', file: 'src/main.tsx', text: 'main()' },
    { kind: 'file', file: '.env', text: 'A=1' },
    { kind: 'code', language: 'tsx', tab: 'React', text: 'const a = 1' },
  ])
  expect(parseGuide(sectionOf(page, 'Code'))).toHaveLength(3)
  expect(() => sectionOf(page, 'Other')).toThrow('no section Other')
})
